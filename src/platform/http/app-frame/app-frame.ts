import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { appFramePath } from '../../../contract/app-bridge.js';

/** Origins whose pages may show apps. */
interface AppFrameOptions {
  readonly publicUrl: URL;
  readonly allowOrigins: readonly string[];
}

// `'unsafe-inline'` permits only inline scripts, and `blob:` only modules that the app's own document creates, so apps
// cannot load scripts from URLs. A nonce or a hash would also permit scripts from any URL, and a URL can exfiltrate
// data.
const directives = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  // Does not restrict the document of the app, which is a `srcdoc`, but prevents the app from navigating elsewhere.
  "frame-src 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
];

/**
 * Serves the frame in which pages show dashboards of kind APP. The frame contains neither data nor the app, because the
 * page sends the source of the app as a message. Therefore it requires no authentication, and all pages use the same
 * URL.
 */
export function appFrame({ publicUrl, allowOrigins }: AppFrameOptions): Hono {
  const app = new Hono({ strict: false });
  const page = readPage();
  const ancestors = [publicUrl.origin, ...allowOrigins].join(' ');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [...directives, `frame-ancestors ${ancestors}`].join('; '),
    // Browsers that support this header also block WebRTC.
    'connection-allowlist': '()',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
  };
  app.get(appFramePath, context => context.body(page, 200, headers));
  return app;
}

function readPage(): string {
  const [relay, appStart] = ['relay', 'app-start'].map(name =>
    readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8'),
  );
  return `<!doctype html>
<meta charset="utf-8">
<title>App</title>
<style>
  html, body, iframe { display: block; box-sizing: border-box; margin: 0; border: 0; inline-size: 100%; block-size: 100%; }
</style>
<template><meta charset="utf-8"><script>${appStart}</script></template>
<script>${relay}</script>
`;
}
