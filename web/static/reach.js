// One request to the tray's API that changes no game.

/** POST to /api/v1/`path`. Answers the status and the JSON body, null when the tray cannot be reached. */
export async function reach(path, body) {
  try {
    const answer = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: null };
  }
}
