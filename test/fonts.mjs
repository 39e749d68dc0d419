import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Provides the font of the tests to the browsers that this process starts (Linux only). Text then has the same width on
// every machine. Chromium also starts on a machine without fonts; otherwise, it would crash. FONTCONFIG_FILE adds other
// fonts.

const cache = fileURLToPath(new URL('../node_modules/.cache/pa-embed/', import.meta.url));
const config = join(cache, 'fonts.conf');
const added = process.env.FONTCONFIG_FILE;

// A child process inherits the variable.
if (process.platform === 'linux' && added !== config) {
  const fonts = dirname(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')));
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...(added ? [`<include>${added}</include>`] : []),
    `<dir>${fonts}</dir>`,
    '<alias><family>monospace</family><default><family>DejaVu Sans Mono</family></default></alias>',
    '<match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>',
    '<match target="font"><edit name="hintstyle"><const>hintslight</const></edit></match>',
    `<cachedir>${join(cache, 'fontconfig')}</cachedir>`,
    '</fontconfig>',
  ];
  mkdirSync(cache, { recursive: true });
  // Test files run concurrently, so none may read a file that another one has written only in part.
  const draft = `${config}.${randomUUID()}`;
  writeFileSync(draft, lines.join('\n'));
  renameSync(draft, config);
  process.env.FONTCONFIG_FILE = config;
}
