/** Whether a host name or address, as a URL or a command line writes it, is this machine's own: plain HTTP is for those alone (spec 1.3). */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
