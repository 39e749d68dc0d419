import type { MarkKind } from '../../../controllers/report/chart-controller.js';
import { createCountFormat, createPluralizer, createTimeAgo, type PluralForms } from '../message-format.js';
import type { DashboardTranslations } from '../translations.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('ar');
const countFormat = createCountFormat('ar');
const markForms: Readonly<Record<MarkKind, PluralForms>> = {
  bar: { zero: '# عمود', one: 'عمود واحد', two: 'عمودان', few: '# أعمدة', many: '# عمودًا', other: '# عمود' },
  line: { zero: '# خط', one: 'خط واحد', two: 'خطان', few: '# خطوط', many: '# خطًا', other: '# خط' },
  area: { zero: '# مساحة', one: 'مساحة واحدة', two: 'مساحتان', few: '# مساحات', many: '# مساحة', other: '# مساحة' },
  point: { zero: '# نقطة', one: 'نقطة واحدة', two: 'نقطتان', few: '# نقاط', many: '# نقطة', other: '# نقطة' },
  slice: { zero: '# قطاع', one: 'قطاع واحد', two: 'قطاعان', few: '# قطاعات', many: '# قطاعًا', other: '# قطاع' },
  cell: { zero: '# خلية', one: 'خلية واحدة', two: 'خليتان', few: '# خلايا', many: '# خلية', other: '# خلية' },
  mark: { zero: '# عنصر', one: 'عنصر واحد', two: 'عنصران', few: '# عناصر', many: '# عنصرًا', other: '# عنصر' },
};
/** Isolates text of unknown direction, which would reorder adjacent figures. */
const isolateDirection = (text: string): string => `\u2068${text}\u2069`;
const timeAgo = createTimeAgo('ar');
const previousPeriods = {
  day: 'باليوم السابق',
  week: 'بالأسبوع السابق',
  month: 'بالشهر السابق',
  quarter: 'بالربع السابق',
  year: 'بالسنة السابقة',
  other: 'بالفترة السابقة',
};
const pluralRules = new Intl.PluralRules('ar');
/** Picks the form of a noun that Arabic counts by. */
function selectForm(count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return forms[pluralRules.select(count)] ?? forms.other;
}

/** Arabic messages of dashboards and reports. */
export const ar: DashboardTranslations = {
  page: {
    retry: shared.retry,
    retryAll: 'إعادة محاولة الكل',
    details: shared.details,
    code: shared.code,
    request: shared.request,
    dashboard: 'لوحة معلومات',
    report: 'تقرير',
    text: 'نص',
    answer: 'إجابة مثبتة',
    problems: {
      offline: ['أنت غير متصل بالإنترنت', 'سيُعاد التحميل حالما يعود الاتصال.'],
      unreachable: ['يتعذر الوصول إلى البيانات', 'تحقّق من الاتصال ثم أعد المحاولة.'],
      timeout: ['يستغرق هذا وقتًا أطول من اللازم', 'أعد المحاولة بعد قليل.'],
      session: shared.sessionOver,
      denied: ['ليس لديك حق الوصول', 'اطلب الوصول من المسؤول عن هذه الصفحة.'],
      missing: ['غير متاح', 'ربما لم يُنشر بعد أو لم تتم مشاركته معك.'],
      rejected: ['لا يمكن تشغيل هذا التقرير', 'على من أنشأه إصلاحه.'],
      drawing: ['لا يمكن عرض هذا التقرير', 'على من أنشأه إصلاحه.'],
      failed: ['حدث خطأ ما', 'أعد المحاولة بعد قليل.'],
    },
    empty: ['لا توجد بيانات', 'لا يحتوي هذا التقرير على صفوف بعد.'],
    emptyFiltered: ['لا توجد بيانات', 'لا توجد صفوف تطابق عوامل تصفية هذا التقرير.'],
    emptyChosen: ['لا توجد بيانات', 'لا توجد صفوف تطابق الاختيار أعلاه.'],
    emptyChosenBy: names => `لا توجد صفوف تطابق الاختيار في ${names}.`,
    clearFilters: count => (count === 1 ? 'إزالة عامل التصفية' : 'إزالة عوامل التصفية'),
    emptyDashboard: ['لا شيء هنا بعد', 'لا تحتوي لوحة المعلومات هذه على أي عناصر.'],
    unsupportedKind: ['غير مدعوم بعد', 'لا يمكن عرض هذا النوع من التقارير هنا بعد.'],
    noQuery: ['لا يوجد استعلام', 'لا يحتوي هذا التقرير على استعلام. على من أنشأه إصلاحه.'],
    missingReport: ['لم يُعثر على التقرير', 'تقرير هذا العنصر ليس جزءًا من لوحة المعلومات المنشورة.'],
    noAnswer: ['لا شيء هنا بعد', 'لم يثبّت مُنشئ لوحة المعلومات هذه أي إجابة بعد.'],
    answerToPin: ['لا توجد إجابة مثبتة بعد', 'اطرح سؤالًا على الدردشة، ثم اختر «تثبيت في لوحة المعلومات» أسفل الإجابة.'],
    answerDeleted: ['حُذفت الإجابة', 'لم تعد المحادثة أو الإجابة موجودة. يمكن لمن ثبّتها تثبيت إجابة أخرى.'],
    answerWithoutQuery: ['لا توجد بيانات لعرضها', 'ليس للإجابة المثبتة استعلام. يمكن لمن ثبّتها تثبيت إجابة أخرى.'],
    answerUnavailable: ['غير متاح', 'تستخدم الإجابة المثبتة بيانات غير متاحة لك.'],
    missingDashboard: [
      'لا توجد لوحة معلومات بهذا المعرّف العام',
      'تحقق من المعرّف العام. ربما لم تُنشر لوحة المعلومات بعد أو لم تتم مشاركتها معك.',
    ],
    sessionEnded: shared.sessionEnded,
    sessionFailed: shared.sessionFailed,
    tryAgain: shared.tryAgain,
    stillWorking: 'العمل مستمر…',
    cancel: shared.cancel,
    stopped: ['تم الإلغاء', 'لقد ألغيت هذا قبل أن يكتمل.'],
    tileMenu: title => `قائمة ${title}`,
    filtered: 'تمت تصفيته',
    filteredHint: names => `يشمل هذا الصفوف التي تطابق ${names} فقط.`,
    firstRows: count => `أول ${count} من الصفوف؛ قد يوجد المزيد`,
    firstRowsHint: count => `تقتصر النتيجة على ${count} من الصفوف. قد يكون هناك المزيد، وقد تكون الأرقام غير مكتملة.`,
    firstRowsOf: (count, total) => `أول ${count} من ${total} من الصفوف`,
    firstRowsOfHint: (count, total) => `تقتصر النتيجة على ${count} من ${total} من الصفوف. قد تكون الأرقام غير مكتملة.`,
    showingOf: (shown, total) => `عرض ${shown} من ${total}`,
    showingOfHint: (shown, total) =>
      `العناصر كثيرة بحيث لا يمكن تمييزها (${total}). يُعرض منها ${shown} موزعة على الرسم البياني كله.`,
    stale: 'غير محدَّث',
    staleHint: 'لقد ألغيت التحديث. هذه هي الصفوف السابقة.',
    controls: 'عناصر التحكم',
    allValues: 'الكل',
    ownGranularity: 'كما في التقرير',
    ignoresControls: 'لا يتبع عناصر التحكم',
    ignoresControlsHint: (names, reason) =>
      `لا ينطبق الاختيار في ${names} على هذا التقرير.${reason ? ` يُنفَّذ استعلام SQL دون تغيير: ${reason}` : ''}`,
    ignoredBecause: {
      grains: 'صفوفه مجمّعة حسب مستويين من هذا البعد الزمني.',
      taken: 'يحتوي على هذا الحقل بالفعل.',
      condition: 'لا يمكن تطبيق هذا الشرط على هذا الحقل.',
    },
    hiddenWidgets: count =>
      pluralize(count, {
        one: 'لا يمكن عرض عنصر واحد هنا بعد.',
        two: 'لا يمكن عرض عنصرين هنا بعد.',
        few: 'لا يمكن عرض # عناصر هنا بعد.',
        many: 'لا يمكن عرض # عنصرًا هنا بعد.',
        other: 'لا يمكن عرض # عنصر هنا بعد.',
      }),
    allFailed: 'تعذّر تحميل أي عنصر',
    notLoaded: 'لم يُحمَّل',
    failedTiles: count =>
      pluralize(count, {
        one: 'تعذّر تحميل عنصر واحد.',
        two: 'تعذّر تحميل عنصرين.',
        few: 'تعذّر تحميل # عناصر.',
        many: 'تعذّر تحميل # عنصرًا.',
        other: 'تعذّر تحميل # عنصر.',
      }),
  },
  chart: {
    chart: 'رسم بياني',
    keys: 'تنتقل مفاتيح الأسهم من عنصر إلى آخر، ويختار Enter العنصر، ويفتح Shift+F10 قائمته، ويخرج Escape.',
    marks: (kind, count) => pluralize(count, markForms[kind]),
    noMarks: 'لا عناصر',
    highest: (name, value) => `الأعلى ${name} ${value}`,
    range: (title, from, to) => `${title}: من ${from} إلى ${to}.`,
    values: (title, count) =>
      `${title}: ${pluralize(count, { zero: '# قيمة.', one: 'قيمة واحدة.', two: 'قيمتان.', few: '# قيم.', many: '# قيمة.', other: '# قيمة.' })}`,
    more: count =>
      pluralize(count, {
        zero: '# عنصر آخر',
        one: 'عنصر آخر',
        two: 'عنصران آخران',
        few: '# عناصر أخرى',
        many: '# عنصرًا آخر',
        other: '# عنصر آخر',
      }),
    tooMany: (count, most) =>
      `عدد العناصر ${countFormat.format(count)} كبير جدًا: اختر ${countFormat.format(most)} على الأكثر.`,
    position: (position, count) => `${countFormat.format(position)} من ${countFormat.format(count)}`,
  },
  container: {
    tabs: 'علامات التبويب',
    tab: number => `علامة التبويب ${number}`,
    empty: ['لا شيء هنا بعد', 'لا تحتوي هذه الحاوية على أي عناصر.'],
    widgetErrors: {
      type: name => ['غير مدعوم بعد', `لا يمكن عرض عناصر من النوع ${name} هنا بعد.`],
      missing: name => ['عنصر مفقود', `لا تحتوي لوحة المعلومات على العنصر «${name}».`],
      twice: name => ['معروض في مكان آخر', `العنصر «${name}» موجود في عدة حاويات، وهو معروض في الأولى.`],
      cycle: name => [
        'حاوية تحتوي على نفسها',
        `لا يمكن أن يحتوي «${name}» على نفسه. على من أنشأ لوحة المعلومات إصلاحها.`,
      ],
      deep: name => ['تداخل عميق جدًا', `يمكن أن تتداخل الحاويات حتى أربعة مستويات. سيكون «${name}» المستوى الخامس.`],
      app: () => ['غير مدعوم بعد', 'لا يمكن عرض لوحات المعلومات من هذا النوع هنا بعد.'],
    },
  },
  controls: {
    operators: {
      equals: 'يساوي',
      not_equals: 'لا يساوي',
      greater_than: 'أكبر من',
      greater_than_or_equal: 'لا يقل عن',
      less_than: 'أصغر من',
      less_than_or_equal: 'لا يزيد على',
      contains: 'يحتوي على',
      not_contains: 'لا يحتوي على',
      starts_with: 'يبدأ بـ',
      not_starts_with: 'لا يبدأ بـ',
      ends_with: 'ينتهي بـ',
      not_ends_with: 'لا ينتهي بـ',
      is_null: 'بلا قيمة',
      is_not_null: 'له قيمة',
      is_empty: 'فارغ',
      is_not_empty: 'ليس فارغًا',
      between: 'بين',
      custom: 'ضمن فترة',
    },
    phrases: {
      today: 'اليوم',
      yesterday: 'أمس',
      'last 7 days': 'آخر 7 أيام',
      'last 30 days': 'آخر 30 يومًا',
      'last 90 days': 'آخر 90 يومًا',
      'this week': 'هذا الأسبوع',
      'last week': 'الأسبوع الماضي',
      'this month': 'هذا الشهر',
      'last month': 'الشهر الماضي',
      'this quarter': 'هذا الربع',
      'last quarter': 'الربع الماضي',
      'this year': 'هذه السنة',
      'from this year to today': 'منذ بداية السنة',
      'last year': 'السنة الماضية',
      'last 12 months': 'آخر 12 شهرًا',
    },
    sentence: (title, operator, values) =>
      [operator ? isolateDirection(title) : `${isolateDirection(title)}:`, operator, values && isolateDirection(values)]
        .filter(Boolean)
        .join(' '),
    range: (start, end) => `${start} و${end}`,
    noValue: '(بلا قيمة)',
    emptyText: '(فارغ)',
    yes: 'نعم',
    no: 'لا',
    condition: 'الشرط',
    period: 'الفترة',
    from: 'من',
    to: 'إلى',
    value: 'القيمة',
    valuePerLine: 'القيم، واحدة في كل سطر',
    previousMonth: 'الشهر السابق',
    nextMonth: 'الشهر التالي',
    previousYear: 'السنة السابقة',
    nextYear: 'السنة التالية',
    dateFormat: example => `أدخل تاريخًا مثل ${example}.`,
    endBeforeStart: 'النهاية قبل البداية.',
    chooseEnd: 'اختر اليوم الأخير.',
    noData: 'لا توجد بيانات',
    search: 'بحث',
    selectAll: 'تحديد الكل',
    chosen: count =>
      pluralize(count, {
        zero: 'لا شيء محدد',
        one: 'محدد واحد',
        two: 'محددان',
        few: '# محددة',
        many: '# محددًا',
        other: '# محدد',
      }),
    clear: 'مسح',
    reset: 'إعادة الضبط',
    done: 'تم',
    loading: 'جارٍ التحميل…',
    nothingFound: 'لا توجد نتائج',
    more: count => `هذه أول ${count}. ابحث للعثور على غيرها.`,
    ignoresCase: 'لا فرق بين الأحرف الكبيرة والصغيرة.',
    fixed: 'محدد من هذه الصفحة',
    filters: count => (count === 0 ? 'عوامل التصفية' : `عوامل التصفية (${count})`),
    unfit: 'لا يمكن تطبيق هذا الشرط',
    updated: count =>
      pluralize(count, {
        zero: 'لم يُحدَّث أي عنصر.',
        one: 'حُدِّث عنصر واحد.',
        two: 'حُدِّث عنصران.',
        few: 'حُدِّثت # عناصر.',
        many: 'حُدِّث # عنصرًا.',
        other: 'حُدِّث # عنصر.',
      }),
    isReset: 'أُعيد ضبط عناصر التحكم.',
    severalMarks: title => `${title}: عدة اختيارات`,
    clearMarks: sentence => `إيقاف التصفية: ${sentence}`,
    marksCleared: 'أُزيلت التصفية حسب العناصر.',
  },
  drill: {
    rowsBehind: 'الصفوف الأساسية',
    path: 'مسار التنقل',
    close: 'إغلاق',
    loading: 'جارٍ تحميل الصفوف…',
    empty: ['لا توجد صفوف', 'لا توجد صفوف وراء هذه القيمة.'],
    cannotOpen: label => ['تعذّر فتح لوحة المعلومات', `لا تفتح هذه الصفحة لوحات معلومات أخرى، لذا «${label}» غير متاح.`],
    downloadCsv: shared.downloadCsv,
    copy: shared.copyRows,
    copied: shared.rowsCopied,
    copyFailed: shared.copyFailed,
    rowCount: count =>
      pluralize(count, { zero: 'لا صفوف', one: 'صف واحد', two: 'صفّان', few: '# صفوف', many: '# صفًا', other: '# صف' }),
    firstRows: count => `أول ${count} من الصفوف. قد يوجد المزيد.`,
  },
  html: {
    firstRows: (shown, total) => `أول ${shown} من ${total} من الصفوف`,
    tooMuch: 'لم يُعرض جزء من المحتوى لأن التقرير كبير جدًا.',
  },
  kpi: {
    versusPeriod: offset => {
      const ago = timeAgo(offset);
      return ago === null ? `مقارنة ${previousPeriods[offset.unit]}` : `مقارنة بما كان ${ago}`;
    },
    versus: title => `مقارنة بـ ${title}`,
    incomparable: 'لا رقم سابق',
    unchanged: 'بلا تغيير',
    better: 'أفضل',
    worse: 'أسوأ',
    ofTarget: (percent, target) => `${percent} من الهدف (${target})`,
    noTarget: 'لا هدف',
    trend: (from, to, lowest, highest) => `خط من ${from} إلى ${to}، الأدنى ${lowest}، الأعلى ${highest}.`,
  },
  map: {
    states: count =>
      pluralize(count, {
        one: 'خريطة لولاية واحدة.',
        two: 'خريطة لولايتين.',
        few: 'خريطة لـ # ولايات.',
        other: 'خريطة لـ # ولاية.',
      }),
    countries: count =>
      pluralize(count, {
        one: 'خريطة لبلد واحد.',
        two: 'خريطة لبلدين.',
        few: 'خريطة لـ # بلدان.',
        other: 'خريطة لـ # بلدًا.',
      }),
    points: count =>
      pluralize(count, {
        one: 'خريطة لنقطة واحدة.',
        two: 'خريطة لنقطتين.',
        few: 'خريطة لـ # نقاط.',
        other: 'خريطة لـ # نقطة.',
      }),
    highest: (name, figure) => `الأعلى: ${name}، ${figure}.`,
    lowest: (name, figure) => `الأدنى: ${name}، ${figure}.`,
    notShown: shared.notShown,
    unfound: (count, examples) =>
      `${pluralize(count, { one: 'لم يُعثر على مكان واحد في هذه الخريطة', two: 'لم يُعثر على مكانين في هذه الخريطة', few: 'لم يُعثر على # أماكن في هذه الخريطة', other: 'لم يُعثر على # مكانًا في هذه الخريطة' })}${examples && `: ${examples}`}.`,
    repeated: count =>
      pluralize(count, {
        one: 'صف آخر يشير إلى مكان معروض بالفعل.',
        two: 'صفّان آخران يشيران إلى أماكن معروضة بالفعل.',
        few: '# صفوف أخرى تشير إلى أماكن معروضة بالفعل.',
        other: '# صفًا آخر يشير إلى أماكن معروضة بالفعل.',
      }),
    omitted: count =>
      pluralize(count, {
        one: 'تُرك صف واحد لأن العدد كبير جدًا.',
        two: 'تُرك صفّان لأن العدد كبير جدًا.',
        few: 'تُركت # صفوف لأن العدد كبير جدًا.',
        other: 'تُرك # صفًا لأن العدد كبير جدًا.',
      }),
  },
  menu: {
    showAsTable: 'عرض كجدول',
    showAsChart: 'عرض كرسم بياني',
    downloadCsv: shared.downloadCsv,
    downloadSvg: 'تنزيل SVG',
    copy: shared.copyRows,
    copied: shared.rowsCopied,
    copyFailed: shared.copyFailed,
    downloadFailed: 'فشل التنزيل.',
    refresh: 'تحديث',
    fullscreen: 'ملء الشاشة',
    exitFullscreen: 'الخروج من ملء الشاشة',
    showRows: 'عرض الصفوف الأساسية',
    filterByThis: 'تصفية لوحة المعلومات حسب هذا',
    stopFiltering: 'إيقاف التصفية حسب هذا',
    newTab: 'يُفتح في علامة تبويب جديدة',
  },
  print: {
    page: (page, pages) => `صفحة ${page} من ${pages}`,
    continued: title => `${title} (تابع)`,
    created: time => `أُنشئ في ${time}`,
    omittedTiles: count =>
      pluralize(count, {
        one: 'عنصر واحد غير مُدرج.',
        two: 'عنصران غير مُدرجين.',
        few: '# عناصر غير مُدرجة.',
        other: '# عنصر غير مُدرج.',
      }),
    missingCharacters: characters => `أحرف لا يمكن عرضها: ${characters}`,
    rowsInFile: (shown, total) => `يتضمن ${shown} من أصل ${total} من الصفوف.`,
  },
  sankey: {
    flows: count => pluralize(count, { one: 'تدفق واحد.', two: 'تدفقان.', few: '# تدفقات.', other: '# تدفقًا.' }),
    largest: (name, figure) => `الأكبر: ${name}، ${figure}.`,
    flow: (from, to) => `من ${from} إلى ${to}`,
    incoming: 'الوارد',
    outgoing: 'الصادر',
    nothingFlows: ['لا تدفقات', 'لا يوجد صف بقيمة أكبر من الصفر.'],
    notShown: shared.notShown,
    unusable: count =>
      pluralize(count, {
        one: 'تُرك صف واحد بلا قيمة أكبر من الصفر.',
        two: 'تُرك صفّان بلا قيمة أكبر من الصفر.',
        few: 'تُركت # صفوف بلا قيمة أكبر من الصفر.',
        other: 'تُرك # صفًا بلا قيمة أكبر من الصفر.',
      }),
    circular: count =>
      pluralize(count, {
        one: 'تُرك تدفق واحد يشكّل حلقة.',
        two: 'تُرك تدفقان يشكّلان حلقة.',
        few: 'تُركت # تدفقات تشكّل حلقة.',
        other: 'تُرك # تدفقًا يشكّل حلقة.',
      }),
    omitted: count =>
      pluralize(count, {
        one: 'تُرك أصغر تدفق لأن العدد كبير جدًا.',
        two: 'تُرك أصغر تدفقين لأن العدد كبير جدًا.',
        few: 'تُركت أصغر # تدفقات لأن العدد كبير جدًا.',
        other: 'تُرك أصغر # تدفقًا لأن العدد كبير جدًا.',
      }),
  },
  table: {
    sortHint: 'النقر أو Enter للفرز، وShift لإضافة عمود، وF2 لتغيير العرض',
    sortsShown: 'يفرز الصفوف المحمّلة فقط؛ قد يكون هناك المزيد',
    ascending: title => `${title}، تصاعديًا`,
    descending: title => `${title}، تنازليًا`,
    sortedBy: list => `تم الفرز حسب ${list}`,
    unsorted: 'بترتيب التقرير',
    width: title => `عرض ${title}`,
    copied: (count, text) =>
      selectForm(count, {
        zero: 'لم تُنسخ أي خلية',
        one: 'تم نسخ خلية واحدة',
        two: 'تم نسخ خليتين',
        few: `تم نسخ ${text} خلايا`,
        other: `تم نسخ ${text} خلية`,
      }),
    copyTooMany: most => `خلايا كثيرة جدًا للنسخ: الحد الأقصى ${most}`,
    leftOut: (count, text) =>
      selectForm(count, {
        zero: 'طُبعت كل الصفوف.',
        one: 'صف واحد آخر لم يُطبع.',
        two: 'صفّان آخران لم يُطبعا.',
        few: `${text} صفوف أخرى لم تُطبع.`,
        other: `${text} صفًا آخر لم يُطبع.`,
      }),
    tones: { positive: 'جيد', negative: 'سيئ', warning: 'تحذير', accent: 'مميز' },
    trend: (count, text, from, to) =>
      selectForm(count, {
        one: `قيمة واحدة، ${to}`,
        two: `قيمتان، من ${from} إلى ${to}`,
        few: `${text} قيم، من ${from} إلى ${to}`,
        other: `${text} قيمة، من ${from} إلى ${to}`,
      }),
    cut: 'الجدول كبير جدًا: لا تُعرض كل الأعمدة والصفوف.',
    total: 'الإجمالي',
    columnGroup: 'الأعمدة المعروضة',
    allGroups: 'كل الأعمدة',
  },
};
