const longest = 500;

/** JSON Web Tokens and one-time session ids, whoever wrote them into a text. */
const credentials = /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?|\b[0-9a-f]{32}\b/gi;

/** Makes a text fit for an error message: bounded, and without credentials; `secrets` are those that this request carried. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[removed]');
  }
  clean = clean.replace(credentials, '[removed]');
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}
