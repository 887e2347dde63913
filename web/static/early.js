// What is done before the page's scripts run waits for them: no press is lost while a phone still fetches them.
// Scripts that are modules have run when the document is said to be loaded.

{
  const kept = [];
  const again = {
    click: (one) => one.click(),
    submit: (form, { submitter }) => form.requestSubmit(submitter),
    change: (field) => field.dispatchEvent(new Event("change", { bubbles: true })),
    input: (field) => field.dispatchEvent(new Event("input", { bubbles: true })),
  };
  // Any other button sends a form, which is kept as such.
  const pressed = ({ type, target }) => (type === "click" ? target.closest("button[type=button]") : target);

  const keep = (event) => {
    const one = pressed(event);
    if (!one) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    kept.push(() => again[event.type](one, event));
  };

  for (const type of Object.keys(again)) addEventListener(type, keep, true);
  addEventListener("DOMContentLoaded", () => {
    for (const type of Object.keys(again)) removeEventListener(type, keep, true);
    for (const act of kept) act();
  });
}
