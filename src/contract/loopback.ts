/**
 * Whether a host is a loopback name or address. IPv6 addresses can be in brackets, as in URLs, or without. Plain HTTP
 * is allowed only for these hosts (spec 1.3).
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
