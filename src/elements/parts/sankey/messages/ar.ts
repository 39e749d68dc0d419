import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('ar');

/** Arabic. */
export const ar: SankeyMessages = {
  flows: count => counted(count, { one: 'تدفق واحد.', two: 'تدفقان.', few: '# تدفقات.', other: '# تدفقًا.' }),
  largest: (name, figure) => `الأكبر: ${name}، ${figure}.`,
  flow: (from, to) => `من ${from} إلى ${to}`,
  incoming: 'الوارد',
  outgoing: 'الصادر',
  nothingFlows: ['لا تدفقات', 'لا يوجد صف برقم أكبر من الصفر.'],
  notShown: count => counted(count, { other: '# غير معروضة' }),
  unusable: count =>
    counted(count, {
      one: 'تُرك صف واحد بلا رقم أكبر من الصفر.',
      two: 'تُرك صفان بلا رقم أكبر من الصفر.',
      few: 'تُركت # صفوف بلا رقم أكبر من الصفر.',
      other: 'تُرك # صفًا بلا رقم أكبر من الصفر.',
    }),
  circular: count =>
    counted(count, {
      one: 'تُرك تدفق واحد يعود في دائرة.',
      two: 'تُرك تدفقان يعودان في دائرة.',
      few: 'تُركت # تدفقات تعود في دائرة.',
      other: 'تُرك # تدفقًا يعود في دائرة.',
    }),
  omitted: count =>
    counted(count, {
      one: 'تُرك أصغر تدفق: العدد أكبر من أن يُرسم.',
      two: 'تُرك أصغر تدفقين: العدد أكبر من أن يُرسم.',
      few: 'تُركت أصغر # تدفقات: العدد أكبر من أن يُرسم.',
      other: 'تُرك أصغر # تدفقًا: العدد أكبر من أن يُرسم.',
    }),
};
