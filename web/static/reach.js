// One request to the tray's API.

/** GET /api/v1/`path`, or POST where there is a `body`. Answers the status and the JSON body; 0 and null when the tray
    cannot be reached. */
export async function reach(path, body, headers = {}) {
  const asked = { headers, cache: "no-store" };
  if (body) {
    asked.method = "POST";
    asked.headers = { "Content-Type": "application/json", ...headers };
    asked.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(`/api/v1/${path}`, asked);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  } catch {
    return { status: 0, body: null };
  }
}
