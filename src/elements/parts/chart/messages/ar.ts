import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('ar');
const figure = figuresIn('ar');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { zero: '# عمود', one: 'عمود واحد', two: 'عمودان', few: '# أعمدة', many: '# عمودًا', other: '# عمود' },
  line: { zero: '# خط', one: 'خط واحد', two: 'خطان', few: '# خطوط', many: '# خطًا', other: '# خط' },
  area: { zero: '# مساحة', one: 'مساحة واحدة', two: 'مساحتان', few: '# مساحات', many: '# مساحة', other: '# مساحة' },
  point: { zero: '# نقطة', one: 'نقطة واحدة', two: 'نقطتان', few: '# نقاط', many: '# نقطة', other: '# نقطة' },
  slice: { zero: '# قطاع', one: 'قطاع واحد', two: 'قطاعان', few: '# قطاعات', many: '# قطاعًا', other: '# قطاع' },
  cell: { zero: '# خلية', one: 'خلية واحدة', two: 'خليتان', few: '# خلايا', many: '# خلية', other: '# خلية' },
  mark: { zero: '# عنصر', one: 'عنصر واحد', two: 'عنصران', few: '# عناصر', many: '# عنصرًا', other: '# عنصر' },
};

/** Arabic. */
export const ar: ChartMessages = {
  chart: 'مخطط',
  keys: 'تنتقل مفاتيح الأسهم من عنصر إلى آخر، ويختار Enter العنصر، ويفتح Shift+F10 قائمته، ويخرج Escape.',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: 'لم يُرسم شيء',
  highest: (name, value) => `الأعلى ${name} ${value}`,
  range: (title, from, to) => `${title}: من ${from} إلى ${to}.`,
  values: (title, count) =>
    `${title}: ${counted(count, { zero: '# قيمة.', one: 'قيمة واحدة.', two: 'قيمتان.', few: '# قيم.', many: '# قيمة.', other: '# قيمة.' })}`,
  more: count =>
    counted(count, {
      zero: '# عنصر آخر',
      one: 'عنصر آخر',
      two: 'عنصران آخران',
      few: '# عناصر أخرى',
      many: '# عنصرًا آخر',
      other: '# عنصر آخر',
    }),
  tooMany: (count, most) => `عدد العناصر ${figure.format(count)} كبير جدًا: اختر ${figure.format(most)} على الأكثر.`,
  position: (position, count) => `${figure.format(position)} من ${figure.format(count)}`,
};
