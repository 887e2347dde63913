// A camera's picture, the next asked for when one has come; none while nobody looks.

/** `address(n)`: of the nth picture; "" while there is nothing new to be seen. */
export function film(picture, address) {
  let number = 0;
  const next = (ms) => setTimeout(() => {
    const wanted = document.hidden ? "" : address(number += 1);
    if (wanted) picture.src = wanted;
    else next(300);
  }, ms);
  picture.onload = () => next(60);
  picture.onerror = () => next(1000);
  next(0);
}
