import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('ar');

/** Arabic. */
export const ar: MapMessages = {
  states: count =>
    counted(count, {
      one: 'خريطة لولاية واحدة.',
      two: 'خريطة لولايتين.',
      few: 'خريطة لـ # ولايات.',
      other: 'خريطة لـ # ولاية.',
    }),
  countries: count =>
    counted(count, {
      one: 'خريطة لبلد واحد.',
      two: 'خريطة لبلدين.',
      few: 'خريطة لـ # بلدان.',
      other: 'خريطة لـ # بلدًا.',
    }),
  points: count =>
    counted(count, {
      one: 'خريطة لنقطة واحدة.',
      two: 'خريطة لنقطتين.',
      few: 'خريطة لـ # نقاط.',
      other: 'خريطة لـ # نقطة.',
    }),
  highest: (name, figure) => `الأعلى: ${name}، ${figure}.`,
  lowest: (name, figure) => `الأدنى: ${name}، ${figure}.`,
  notShown: count => counted(count, { other: '# غير معروضة' }),
  unfound: (count, examples) =>
    `${counted(count, { one: 'لم يُعثر على مكان واحد في هذه الخريطة', two: 'لم يُعثر على مكانين في هذه الخريطة', few: 'لم يُعثر على # أماكن في هذه الخريطة', other: 'لم يُعثر على # مكانًا في هذه الخريطة' })}${examples && `: ${examples}`}.`,
  repeated: count =>
    counted(count, {
      one: 'صف آخر يذكر مكانًا مرسومًا بالفعل.',
      two: 'صفان آخران يذكران أماكن مرسومة بالفعل.',
      few: '# صفوف أخرى تذكر أماكن مرسومة بالفعل.',
      other: '# صفًا آخر يذكر أماكن مرسومة بالفعل.',
    }),
  omitted: count =>
    counted(count, {
      one: 'تُرك صف واحد: العدد أكبر من أن يُرسم.',
      two: 'تُرك صفان: العدد أكبر من أن يُرسم.',
      few: 'تُركت # صفوف: العدد أكبر من أن يُرسم.',
      other: 'تُرك # صفًا: العدد أكبر من أن يُرسم.',
    }),
};
