import type { TableMessages } from './messages.js';

const plural = new Intl.PluralRules('ar');

/** Picks the form of a noun that Arabic counts by. */
function counted(count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return forms[plural.select(count)] ?? forms.other;
}

/** Arabic. */
export const ar: TableMessages = {
  sortHint: 'النقر أو Enter للفرز، وShift لإضافة عمود، وF2 لتغيير العرض',
  sortsShown: 'يفرز الصفوف المعروضة فقط: قد يكون هناك المزيد',
  ascending: title => `${title}، تصاعديًا`,
  descending: title => `${title}، تنازليًا`,
  sortedBy: list => `تم الفرز حسب ${list}`,
  unsorted: 'بترتيب التقرير',
  width: title => `عرض ${title}`,
  copied: (count, text) =>
    counted(count, {
      zero: 'لم تُنسخ أي خلية',
      one: 'تم نسخ خلية واحدة',
      two: 'تم نسخ خليتين',
      few: `تم نسخ ${text} خلايا`,
      other: `تم نسخ ${text} خلية`,
    }),
  copyTooMany: most => `أكثر مما يمكن نسخه: الحد الأقصى ${most} خلية`,
  leftOut: (count, text) =>
    counted(count, {
      zero: 'لا صفوف محذوفة.',
      one: 'حُذف صف واحد آخر.',
      two: 'حُذف صفان آخران.',
      few: `حُذفت ${text} صفوف أخرى.`,
      other: `حُذف ${text} صفًا آخر.`,
    }),
  tones: { positive: 'جيد', negative: 'سيئ', warning: 'تحذير', accent: 'مميز' },
  trend: (count, text, from, to) =>
    counted(count, {
      one: `قيمة واحدة، ${to}`,
      two: `قيمتان، من ${from} إلى ${to}`,
      few: `${text} قيم، من ${from} إلى ${to}`,
      other: `${text} قيمة، من ${from} إلى ${to}`,
    }),
  cut: 'هناك أكثر مما يتسع له الجدول: لا تُعرض كل الأعمدة والصفوف.',
  total: 'الإجمالي',
  columnGroup: 'الأعمدة المعروضة',
  allGroups: 'كل الأعمدة',
};
