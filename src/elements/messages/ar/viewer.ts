import { createPluralizer } from '../message-format.js';
import type { ViewerTranslations } from '../translations.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('ar');

/** Arabic messages of the comments on a dashboard. */
export const ar: ViewerTranslations = {
  comments: {
    comments: 'التعليقات',
    unread: count =>
      pluralize(count, {
        zero: 'لا تعليقات غير مقروءة',
        one: 'تعليق واحد غير مقروء',
        two: 'تعليقان غير مقروءين',
        few: '# تعليقات غير مقروءة',
        other: '# تعليقًا غير مقروء',
      }),
    newComments: count =>
      pluralize(count, {
        zero: 'لا تعليقات جديدة',
        one: 'تعليق جديد واحد',
        two: 'تعليقان جديدان',
        few: '# تعليقات جديدة',
        other: '# تعليقًا جديدًا',
      }),
    close: 'إغلاق التعليقات',
    show: 'عرض',
    open: 'مفتوحة',
    resolved: 'محلولة',
    emptyOpen: ['لا تعليقات بعد', 'اطرح سؤالًا أو شارك ملاحظاتك مع فريقك.'],
    emptyResolved: ['لا شيء محلول بعد', 'تظهر المحادثات المحلولة هنا.'],
    commentOnTile: 'التعليق على هذا العنصر',
    write: 'كتابة تعليق',
    writeAbout: title => `كتابة تعليق على ${title}`,
    hint: 'يستطيع فريقك قراءته. اكتب @ للإشارة إلى شخص.',
    send: 'إضافة التعليق',
    reply: 'رد',
    replyTo: name => `الرد على ${name}`,
    edit: 'تعديل',
    editComment: 'تعديل التعليق',
    save: 'حفظ',
    cancel: shared.cancel,
    remove: 'حذف',
    confirmRemove: 'هل تريد حذف هذا التعليق؟',
    confirmRemoveThread: 'هل تريد حذف هذا التعليق وردوده؟',
    resolve: 'وضع علامة محلول',
    reopen: 'إعادة الفتح',
    copyLink: 'نسخ الرابط',
    linkCopied: 'نُسخ الرابط',
    copyFailed: shared.copyFailed,
    you: 'أنت',
    unknownUser: 'مستخدم غير معروف',
    isNew: 'جديد',
    edited: 'معدّل',
    removed: 'حُذف هذا التعليق.',
    showTile: title => `عرض ${title} كما رآه صاحب التعليق`,
    showState: 'عرض لوحة المعلومات كما رآها صاحب التعليق',
    tileGone: 'لم يعد العنصر موجودًا',
    detach: title => `إزالة الإشارة إلى ${title}`,
    earlierReplies: count =>
      pluralize(count, {
        one: 'عرض رد سابق واحد',
        two: 'عرض ردين سابقين',
        few: 'عرض # ردود سابقة',
        other: 'عرض # ردًا سابقًا',
      }),
    more: 'عرض المزيد',
    suggestions: 'أشخاص يمكن الإشارة إليهم',
    suggested: count => pluralize(count, { one: 'شخص واحد', two: 'شخصان', few: '# أشخاص', other: '# شخصًا' }),
    sent: 'أُضيف التعليق',
    saved: 'حُفظ التعليق',
    deleted: 'حُذف التعليق',
    resolvedNow: 'حُلّت المحادثة',
    reopenedNow: 'أُعيد فتح المحادثة',
    retry: shared.retry,
    notSaved: 'تعذّر الحفظ. أعد المحاولة بعد قليل.',
  },
};
