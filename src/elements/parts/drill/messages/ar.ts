import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('ar');

/** Arabic. */
export const ar: DrillMessages = {
  rowsBehind: 'الصفوف المكوِّنة للرقم',
  path: 'مسار الرجوع',
  close: 'إغلاق',
  loading: 'جارٍ تحميل الصفوف…',
  empty: ['لا توجد صفوف', 'لا شيء وراء هذا.'],
  cannotOpen: label => ['لم يُفتح', `لا تفتح هذه الصفحة لوحات معلومات أخرى، لذا لا يؤدي «${label}» إلى شيء هنا.`],
  downloadCsv: 'تنزيل CSV',
  copy: 'نسخ الصفوف',
  copied: 'تم نسخ الصفوف',
  copyFailed: 'لم يسمح المتصفح بالنسخ.',
  rowCount: count =>
    counted(count, { zero: 'لا صفوف', one: 'صف واحد', two: 'صفان', few: '# صفوف', many: '# صفًا', other: '# صف' }),
  firstRows: count => `أول ${count} من الصفوف. قد يوجد المزيد.`,
};
