import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pause } from '../../platform/runtime/retry.js';

/** Certificate with its intermediate certificates, and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Paths of certificate and key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Polling interval for the files, in milliseconds. */
const defaultInterval = 10_000;

/**
 * Reads a certificate and its key.
 * @throws Error if they are invalid. The message is one sentence and never contains content of the files.
 */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readPem('--tls-cert', files.cert), readPem('--tls-key', files.key)]);
  const leaf = parse(
    () => new X509Certificate(cert),
    `--tls-cert: ${files.cert} does not contain a certificate (PEM).`,
  );
  const secret = parse(
    () => createPrivateKey(key),
    `--tls-key: ${files.key} does not contain a private key (PEM) without a passphrase.`,
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
    throw new Error(`${flag}: could not read ${file}${typeof code === 'string' ? ` (${code})` : ''}.`, {
      cause: error,
    });
  }
}

function parse<T>(read: () => T, problem: string): T {
  try {
    return read();
  } catch {
    // Discard the message of the parser, because it may contain parts of the key.
    throw new Error(problem);
  }
}

/** Options of `watchCertificate`. */
export interface CertificateWatch {
  readonly current: Certificate;
  readonly onChange: (certificate: Certificate) => void;
  /**
   * Called once for files that do not match on two consecutive reads, which excludes files that are being replaced. The
   * previous certificate stays in use.
   */
  readonly onProblem: (problem: string) => void;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

/**
 * Watches the files until the signal aborts. Polls them, because file system events do not follow the symbolic links
 * with which many tools replace files.
 */
export async function watchCertificate(files: TlsFiles, watch: CertificateWatch): Promise<void> {
  const { onChange, onProblem, signal, intervalMs = defaultInterval } = watch;
  let { current } = watch;
  let last: string | null = null;
  let seen = 0;
  for (;;) {
    await pause(intervalMs, { signal, ref: false });
    if (signal.aborted) return;
    try {
      const found = await readCertificate(files);
      last = null;
      if (found.cert === current.cert && found.key === current.key) continue;
      current = found;
      onChange(found);
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'Could not read the certificate.';
      seen = problem === last ? seen + 1 : 1;
      last = problem;
      if (seen === 2) onProblem(`${problem} The previous certificate stays in use.`);
    }
  }
}
