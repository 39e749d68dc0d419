import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A certificate, with those between it and the authority's, and its key: PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Where both are. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** How often files are looked at, in ms. */
const defaultInterval = 10_000;

/**
 * Reads a certificate and its key.
 * @throws Error that says in one sentence what is wrong; never with what a file holds.
 */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readPem('--tls-cert', files.cert), readPem('--tls-key', files.key)]);
  const leaf = parse(() => new X509Certificate(cert), `--tls-cert: ${files.cert} holds no certificate (PEM).`);
  const secret = parse(
    () => createPrivateKey(key),
    `--tls-key: ${files.key} holds no private key (PEM) that can be read without a passphrase.`,
  );
  if (!leaf.checkPrivateKey(secret)) {
    throw new Error(`--tls-key: ${files.key} is not the key of the certificate in ${files.cert}.`);
  }
  return { cert, key };
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = Object(error);
    throw new Error(`${flag}: ${file} can't be read${typeof code === 'string' ? ` (${code})` : ''}.`, { cause: error });
  }
}

function parse<T>(read: () => T, problem: string): T {
  try {
    return read();
  } catch {
    // What a parser says of a key is nothing for a log.
    throw new Error(problem);
  }
}

/** What a watch tells of. */
export interface CertificateWatch {
  readonly current: Certificate;
  readonly onChange: (certificate: Certificate) => void;
  /** Hears once of files that don't fit and stay so, which two that are being changed don't; the certificate before them stays in use. */
  readonly onProblem: (problem: string) => void;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

/**
 * Looks after the files until the signal aborts. It reads them again and again, for a notice of the file system doesn't reach through
 * the links by which many tools change files.
 */
export async function watchCertificate(files: TlsFiles, watch: CertificateWatch): Promise<void> {
  const { onChange, onProblem, signal, intervalMs = defaultInterval } = watch;
  let { current } = watch;
  let last: string | null = null;
  let seen = 0;
  for (;;) {
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const found = await readCertificate(files);
      last = null;
      if (found.cert === current.cert && found.key === current.key) continue;
      current = found;
      onChange(found);
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'The certificate could not be read.';
      seen = problem === last ? seen + 1 : 1;
      last = problem;
      if (seen === 2) onProblem(`${problem} The certificate from before stays in use.`);
    }
  }
}
