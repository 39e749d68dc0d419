import type { MenuMessages } from './messages.js';

/** Arabic. */
export const ar: MenuMessages = {
  showAsTable: 'عرض كجدول',
  showAsChart: 'عرض كمخطط',
  downloadCsv: 'تنزيل CSV',
  downloadSvg: 'تنزيل SVG',
  copy: 'نسخ الصفوف',
  copied: 'تم نسخ الصفوف',
  copyFailed: 'لم يسمح المتصفح بالنسخ.',
  downloadFailed: 'فشل التنزيل.',
  refresh: 'تحديث',
  fullscreen: 'ملء الشاشة',
  exitFullscreen: 'الخروج من ملء الشاشة',
  showRows: 'عرض الصفوف المكوِّنة لهذا',
  filterByThis: 'تصفية لوحة المعلومات حسب هذا',
  stopFiltering: 'إيقاف التصفية حسب هذا',
  newTab: 'يُفتح في علامة تبويب جديدة',
};
