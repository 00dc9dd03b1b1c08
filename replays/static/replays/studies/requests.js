/** Requests about studies: their order, and the link for readers. */

/**
 * `send` for requests that the server must handle in the order in which they were made: each
 * leaves when the one before is answered.
 * @template {unknown[]} Sent
 * @template Answer
 * @param {(...sent: Sent) => Promise<Answer>} send  never rejects
 */
export function inOrder(send) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (/** @type {Sent} */ ...sent) => {
    const answer = last.then(() => send(...sent));
    last = answer;
    return answer;
  };
}

/** The token of a shared study in the URL, for further requests. */
export function share() {
  const token = new URLSearchParams(location.search).get("share");
  return token ? `?share=${encodeURIComponent(token)}` : "";
}
