import { createPluralizer } from '../message-format.js';
import type { SharedMessages } from '../shared-messages.js';

const pluralize = createPluralizer('ar');

/** Arabic messages that several elements have in common. */
export const shared: SharedMessages = {
  retry: 'إعادة المحاولة',
  tryAgain: 'حاول مرة أخرى',
  details: 'التفاصيل',
  code: 'الرمز',
  request: 'الطلب',
  cancel: 'إلغاء',
  sessionOver: ['انتهت صلاحية الجلسة', 'أعد تحميل الصفحة أو سجّل الدخول من جديد.'],
  sessionEnded: ['انتهت جلستك', 'أعد تحميل الصفحة أو سجّل الدخول من جديد للمتابعة.'],
  sessionFailed: ['تعذّر بدء الجلسة', 'أعد المحاولة. إذا استمرت المشكلة فاتصل بالمسؤول عن هذه الصفحة.'],
  downloadCsv: 'تنزيل CSV',
  copy: 'نسخ',
  copied: 'تم النسخ',
  copyRows: 'نسخ الصفوف',
  rowsCopied: 'تم نسخ الصفوف',
  copyFailed: 'حظر المتصفح النسخ.',
  notShown: count => pluralize(count, { other: '# غير معروضة' }),
};
