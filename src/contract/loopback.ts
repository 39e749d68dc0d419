/**
 * Whether a host name or address is a loopback one. Accepts the forms of URLs and command lines. Plain HTTP is allowed
 * only for these hosts (spec 1.3).
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
