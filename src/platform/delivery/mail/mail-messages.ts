/** Messages of mails, as text. `{name}` is replaced with a value. */
interface MailMessages {
  readonly reason: string;
  readonly unsubscribe: string;
  readonly unsubscribeQuestion: string;
  readonly unsubscribed: string;
  readonly failed: string;
  readonly noRows: string;
  readonly moreRows: string;
  readonly moreReports: string;
  readonly nothing: string;
  readonly noFile: string;
  readonly summary: string;
  readonly summaryNote: string;
  readonly summaryDisabled: string;
  readonly summaryEmpty: string;
  readonly summaryFailed: string;
  readonly failureSubject: string;
  readonly failureText: string;
  readonly mentioned: string;
  readonly mentionReason: string;
}

/** Key of a message. */
export type MailMessage = keyof MailMessages;

const messages: Readonly<Record<string, MailMessages>> = {
  en: {
    reason: 'You are receiving this message because you are a recipient of the schedule “{schedule}”.',
    unsubscribe: 'Unsubscribe',
    unsubscribeQuestion: 'Stop receiving these messages?',
    unsubscribed: 'You will no longer receive these messages.',
    failed: 'This report could not be loaded.',
    noRows: 'No rows',
    moreRows: '{count} more rows',
    moreReports: '{count} more reports of the dashboard are not listed here.',
    nothing: 'The dashboard has no reports.',
    noFile: 'The dashboard could not be rendered as a file. Its rows follow.',
    summary: 'Summary',
    summaryNote: 'Written automatically from the rows that this message contains.',
    summaryDisabled: 'No summary: AI is disabled.',
    summaryEmpty: 'No summary: no report of the dashboard can be summarized.',
    summaryFailed: 'No summary: it could not be created.',
    failureSubject: 'Not delivered: {title}',
    failureText: '{failed} of {total} messages for “{title}” could not be delivered.',
    mentioned: '{author} mentioned you: {title}',
    mentionReason: 'You are receiving this message because a comment on this dashboard mentions you.',
  },
  // Only English spelling is checked. cspell:disable
  de: {
    reason: 'Sie erhalten diese Nachricht, weil Sie Empfänger des Zeitplans „{schedule}“ sind.',
    unsubscribe: 'Abbestellen',
    unsubscribeQuestion: 'Möchten Sie diese Nachrichten nicht mehr erhalten?',
    unsubscribed: 'Sie erhalten diese Nachrichten nicht mehr.',
    failed: 'Dieser Bericht konnte nicht geladen werden.',
    noRows: 'Keine Zeilen',
    moreRows: '{count} weitere Zeilen',
    moreReports: '{count} weitere Berichte des Dashboards sind hier nicht aufgeführt.',
    nothing: 'Das Dashboard enthält keine Berichte.',
    noFile: 'Das Dashboard konnte nicht als Datei dargestellt werden. Es folgen seine Zeilen.',
    summary: 'Zusammenfassung',
    summaryNote: 'Automatisch aus den Zeilen dieser Nachricht erstellt.',
    summaryDisabled: 'Ohne Zusammenfassung: KI ist deaktiviert.',
    summaryEmpty: 'Ohne Zusammenfassung: Kein Bericht des Dashboards lässt sich zusammenfassen.',
    summaryFailed: 'Ohne Zusammenfassung: Sie konnte nicht erstellt werden.',
    failureSubject: 'Nicht zugestellt: {title}',
    failureText: '{failed} von {total} Nachrichten zu „{title}“ konnten nicht zugestellt werden.',
    mentioned: '{author} hat Sie erwähnt: {title}',
    mentionReason: 'Sie erhalten diese Nachricht, weil ein Kommentar zu diesem Dashboard Sie erwähnt.',
  },
  es: {
    reason: 'Recibe este mensaje porque es destinatario de la programación «{schedule}».',
    unsubscribe: 'Cancelar la suscripción',
    unsubscribeQuestion: '¿Quiere dejar de recibir estos mensajes?',
    unsubscribed: 'Ya no recibirá estos mensajes.',
    failed: 'No se pudo cargar este informe.',
    noRows: 'Sin filas',
    moreRows: '{count} filas más',
    moreReports: 'Aquí no se muestran otros {count} informes del panel.',
    nothing: 'El panel no contiene informes.',
    noFile: 'No se pudo generar el archivo del panel. A continuación, sus filas.',
    summary: 'Resumen',
    summaryNote: 'Escrito automáticamente a partir de las filas de este mensaje.',
    summaryDisabled: 'Sin resumen: la IA está desactivada.',
    summaryEmpty: 'Sin resumen: ningún informe del panel se puede resumir.',
    summaryFailed: 'Sin resumen: no se pudo escribir.',
    failureSubject: 'No entregado: {title}',
    failureText: 'No se pudieron entregar {failed} de {total} mensajes de «{title}».',
    mentioned: '{author} le ha mencionado: {title}',
    mentionReason: 'Recibe este mensaje porque un comentario de este panel le menciona.',
  },
  fr: {
    reason: 'Vous recevez ce message car vous êtes destinataire de la planification « {schedule} ».',
    unsubscribe: 'Se désabonner',
    unsubscribeQuestion: 'Ne plus recevoir ces messages ?',
    unsubscribed: 'Vous ne recevrez plus ces messages.',
    failed: 'Ce rapport n’a pas pu être chargé.',
    noRows: 'Aucune ligne',
    moreRows: '{count} lignes supplémentaires',
    moreReports: '{count} autres rapports du tableau de bord ne figurent pas ici.',
    nothing: 'Le tableau de bord ne contient aucun rapport.',
    noFile: 'Le fichier du tableau de bord n’a pas pu être créé. Voici ses lignes.',
    summary: 'Résumé',
    summaryNote: 'Rédigé automatiquement à partir des lignes de ce message.',
    summaryDisabled: 'Sans résumé : l’IA est désactivée.',
    summaryEmpty: 'Sans résumé : aucun rapport du tableau de bord ne peut être résumé.',
    summaryFailed: 'Sans résumé : il n’a pas pu être rédigé.',
    failureSubject: 'Non distribué : {title}',
    failureText: '{failed} messages sur {total} pour « {title} » n’ont pas pu être distribués.',
    mentioned: '{author} vous a mentionné : {title}',
    mentionReason: 'Vous recevez ce message car un commentaire de ce tableau de bord vous mentionne.',
  },
  ja: {
    reason: 'スケジュール「{schedule}」の受信者に登録されているため、このメッセージをお送りしています。',
    unsubscribe: '配信を停止',
    unsubscribeQuestion: 'このメッセージの配信を停止しますか？',
    unsubscribed: 'このメッセージの配信を停止しました。',
    failed: 'このレポートを読み込めませんでした。',
    noRows: '行がありません',
    moreRows: 'ほか {count} 行',
    moreReports: 'ダッシュボードのほか {count} 件のレポートは、ここには表示されません。',
    nothing: 'ダッシュボードにレポートがありません。',
    noFile: 'ダッシュボードをファイルとして作成できませんでした。以下に行を示します。',
    summary: '要約',
    summaryNote: 'このメッセージの行から自動的に作成されました。',
    summaryDisabled: '要約はありません: AI が無効です。',
    summaryEmpty: '要約はありません: 要約できるレポートがありません。',
    summaryFailed: '要約はありません: 作成できませんでした。',
    failureSubject: '配信できませんでした: {title}',
    failureText: '「{title}」の {total} 件中 {failed} 件のメッセージを配信できませんでした。',
    mentioned: '{author}さんのコメントであなたに言及がありました: {title}',
    mentionReason: 'このダッシュボードのコメントであなたに言及があったため、このメッセージをお送りしています。',
  },
  ar: {
    reason: 'تصلك هذه الرسالة لأنك من مستلمي الجدولة «{schedule}».',
    unsubscribe: 'إلغاء الاشتراك',
    unsubscribeQuestion: 'هل تريد التوقف عن تلقي هذه الرسائل؟',
    unsubscribed: 'لن تصلك هذه الرسائل بعد الآن.',
    failed: 'تعذّر تحميل هذا التقرير.',
    noRows: 'لا توجد صفوف',
    moreRows: '{count} صفوف أخرى',
    moreReports: 'تقارير أخرى في لوحة المعلومات غير مدرجة هنا: {count}',
    nothing: 'لا تحتوي لوحة المعلومات على تقارير.',
    noFile: 'تعذّر إنشاء ملف لوحة المعلومات. فيما يلي صفوفها.',
    summary: 'الملخص',
    summaryNote: 'كُتب تلقائيًا من صفوف هذه الرسالة.',
    summaryDisabled: 'بلا ملخص: الذكاء الاصطناعي معطّل.',
    summaryEmpty: 'بلا ملخص: لا يمكن تلخيص أي تقرير في لوحة المعلومات.',
    summaryFailed: 'بلا ملخص: تعذّرت كتابته.',
    failureSubject: 'لم يتم التسليم: {title}',
    failureText: 'تعذّر تسليم {failed} من {total} من رسائل «{title}».',
    mentioned: 'أشار إليك {author}: {title}',
    mentionReason: 'تصلك هذه الرسالة لأن تعليقًا على لوحة المعلومات هذه يشير إليك.',
  },
  // cspell:enable
};

/**
 * Returns a function that translates keys into the language of a locale, or into English if the language is not
 * supported.
 */
export function mailMessages(
  locale: string,
): (name: MailMessage, values?: Readonly<Record<string, string | number>>) => string {
  const language = messages[locale.split('-')[0] ?? ''] ?? messages.en;
  return (name, values = {}) =>
    (language?.[name] ?? '').replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}
