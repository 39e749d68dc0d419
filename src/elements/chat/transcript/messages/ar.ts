import { countedIn, type Forms } from '../../../messages/counted.js';
import type { AnswerCounts, TranscriptMessages } from './messages.js';

const counted = countedIn('ar');

const nouns: Readonly<Record<keyof AnswerCounts, Forms>> = {
  paragraphs: { one: 'فقرة واحدة', two: 'فقرتان', few: '# فقرات', many: '# فقرة', other: '# فقرة' },
  lists: { one: 'قائمة واحدة', two: 'قائمتان', few: '# قوائم', many: '# قائمة', other: '# قائمة' },
  tables: { one: 'جدول واحد', two: 'جدولان', few: '# جداول', many: '# جدولًا', other: '# جدول' },
  charts: {
    one: 'رسم بياني واحد',
    two: 'رسمان بيانيان',
    few: '# رسوم بيانية',
    many: '# رسمًا بيانيًا',
    other: '# رسم بياني',
  },
  codeBlocks: {
    one: 'مقطع برمجي واحد',
    two: 'مقطعان برمجيان',
    few: '# مقاطع برمجية',
    many: '# مقطعًا برمجيًا',
    other: '# مقطع برمجي',
  },
};

/** Arabic. */
export const ar: TranscriptMessages = {
  transcript: 'الرسائل',
  question: 'كتبتَ',
  answer: 'الإجابة',
  older: 'عرض الرسائل الأقدم',
  latest: 'الانتقال إلى الأحدث',
  latestNew: 'يوجد جديد بالأسفل: الانتقال إلى الأحدث',
  copy: 'نسخ',
  copied: 'تم النسخ',
  copyFailed: 'النسخ غير مسموح هنا',
  edit: 'تعديل وإعادة الإرسال',
  again: 'طرح السؤال مجددًا',
  good: 'إجابة جيدة',
  bad: 'إجابة سيئة',
  usage: 'عرض الاستهلاك',
  usageIs: (tokens, input, output, calls) =>
    `الرموز: ${tokens} (المدخلة: ${input}، المخرجة: ${output})، استدعاءات النموذج: ${calls}`,
  thinking: 'التفكير',
  connecting: 'جارٍ الاتصال…',
  working: 'جارٍ العمل…',
  reconnecting: 'جارٍ إعادة الاتصال…',
  offline: 'لا يوجد اتصال. ستُستأنف الإجابة حالما يعود الاتصال.',
  ends: {
    aborted: 'لقد أوقفت هذه الإجابة.',
    failed: 'فشلت هذه الإجابة.',
    length: 'اقتُطعت هذه الإجابة: بلغت الحد الأقصى.',
    suspended: 'توقفت هذه الإجابة مؤقتًا ويمكن متابعتها.',
    interrupted: 'اقتُطعت هذه الإجابة: انقطع الاتصال.',
  },
  retry: 'إعادة المحاولة',
  resume: 'متابعة',
  answering: 'جارٍ الرد',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, forms]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [counted(count, forms)];
    });
    return parts.length === 0 ? 'اكتملت الإجابة' : `اكتملت الإجابة: ${parts.join('، ')}`;
  },
};
