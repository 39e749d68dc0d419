import PdfDocument from 'pdfkit';
import type { PageTexts } from '../scene/page-texts.js';
import type { PageLayout, RenderedPage } from './pages.js';
import { PdfPainter } from './pdf-painter.js';
import type { RenderContext } from './render-context.js';

/** Options of `writePdf`. */
interface PdfOptions {
  readonly layout: PageLayout;
  readonly texts: PageTexts;
}

/** Largest side of a PDF page in points. */
const maxSide = 14_400;

/** Writes pages as a PDF file with selectable text, structure and bookmarks. */
export async function writePdf(
  context: RenderContext,
  pages: readonly RenderedPage[],
  { layout, texts }: PdfOptions,
): Promise<Uint8Array> {
  const document = new PdfDocument({
    autoFirstPage: false,
    tagged: true,
    lang: context.locale,
    displayTitle: true,
    pdfVersion: '1.7',
    // Fonts are registered when they are needed. A font that is opened under two names would be parsed again for each
    // string.
    font: null,
    info: { Title: context.fonts.drawable(texts.title), Creator: 'pa-embed', Producer: 'pa-embed' },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  const root = document.struct('Document');
  document.addStructure(root);
  const painter = new PdfPainter(context, document);
  for (const page of pages) {
    context.signal.throwIfAborted();
    const scale = Math.min(layout.scale, maxSide / page.height, maxSide / page.width);
    document.addPage({ size: [page.width * scale, page.height * scale], margin: 0 });
    await painter.paintPage(page, root, scale);
    await new Promise(resolve => setImmediate(resolve));
  }
  root.end();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
