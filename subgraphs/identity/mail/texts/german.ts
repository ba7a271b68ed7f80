import type { MailTexts } from './MailTexts.ts';
import { german as money } from './money/german.ts';

const notYou =
  'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort und beenden Sie die Sitzungen, die Sie nicht kennen.';

export const german: MailTexts = {
  greeting: 'Guten Tag {displayName},',
  plainGreeting: 'Guten Tag,',
  copyLink: 'Wenn sich der Link nicht öffnen lässt, kopieren Sie diese Adresse in Ihren Browser:',
  closing: 'Diese Mail wurde von {installation} gesendet. Antworten werden nicht gelesen.',
  rejectionReasons: {
    document_missing: 'ein Dokument fehlt',
    document_unreadable: 'ein Dokument ist nicht lesbar',
    document_expired: 'ein Dokument ist abgelaufen',
    identity_mismatch: 'die vertretende Person ist nicht die in den Dokumenten',
    registration_not_found: 'das Register kennt den Betrieb nicht',
    vat_id_invalid: 'die USt-IdNr. gehört nicht zum Betrieb',
    address_not_proven: 'die Anschrift ist nicht belegt',
    business_not_allowed: 'diese Art von Betrieb wird nicht aufgenommen',
    fraud_suspected: 'es gibt Anzeichen für Betrug',
    other: 'ein anderer Grund',
  },
  rejectionGrounds: {
    illegal: 'gesetzwidrig',
    fraud: 'Anzeichen für Betrug',
    prohibited: 'hier nicht zugelassen',
    miscategorised: 'falsche Kategorie',
    misleading: 'unrichtige Angaben, oder Wichtiges fehlt',
    infringement: 'verletzt ein Recht Dritter',
    harassment: 'verletzt oder bedroht Menschen',
    spam: 'wirbt für anderes oder nützt niemandem',
    duplicate: 'wird schon angeboten',
    incomplete: 'Texte oder Bilder zeigen nicht, was angeboten wird',
    other: 'ein anderer Grund',
  },
  mails: {
    ...money,
    verifyEmail: {
      subject: 'Bestätigen Sie Ihre Adresse für {installation}',
      body: [
        'Mit dieser Adresse wurde ein Konto bei {installation} angelegt. Bestätigen Sie, dass die Adresse Ihnen gehört; bis dahin kann das Konto nichts veröffentlichen und niemandem schreiben.',
        'Der Link gilt 24 Stunden und funktioniert einmal.',
      ],
      action: 'Adresse bestätigen',
      note: [
        'Wenn Sie kein Konto angelegt haben, tun Sie nichts: Ohne Bestätigung wird es nach 30 Tagen entfernt.',
      ],
    },
    accountExists: {
      subject: 'Sie haben bereits ein Konto bei {installation}',
      body: [
        'Jemand wollte mit dieser Adresse ein Konto bei {installation} anlegen; sie gehört aber schon zu Ihrem Konto. Es wurde nichts geändert.',
        'Wenn Sie es waren, melden Sie sich wie gewohnt an. Wenn Sie Ihr Passwort nicht mehr wissen, können Sie ein neues setzen.',
      ],
      action: 'Neues Passwort setzen',
      note: ['Wenn Sie es nicht waren, tun Sie nichts.'],
    },
    confirmNewEmail: {
      subject: 'Bestätigen Sie Ihre neue Adresse für {installation}',
      body: [
        'Diese Adresse soll die Adresse Ihres Kontos bei {installation} werden. Das wird sie, sobald Sie es bestätigen.',
        'Der Link gilt 24 Stunden und funktioniert einmal.',
      ],
      action: 'Neue Adresse bestätigen',
      note: ['Wenn Sie davon nichts wissen, tun Sie nichts: Das Konto behält seine Adresse.'],
    },
    emailChangeRequested: {
      subject: 'Ihre Adresse bei {installation} soll geändert werden',
      body: [
        'Jemand, der in Ihrem Konto bei {installation} angemeldet ist, möchte dessen Adresse in {newEmail} ändern. Die Änderung gilt, sobald sie von dort bestätigt wird.',
        notYou,
      ],
    },
    emailChanged: {
      subject: 'Ihre Adresse bei {installation} wurde geändert',
      body: [
        'Die Adresse Ihres Kontos bei {installation} ist jetzt {newEmail}. Dies ist die letzte Mail an die bisherige Adresse.',
        'Wenn Sie das nicht waren, schreiben Sie sofort dem Kundendienst von {installation}.',
      ],
    },
    resetPassword: {
      subject: 'Neues Passwort für {installation} setzen',
      body: [
        'Für Ihr Konto bei {installation} wurde ein neues Passwort angefordert. Mit diesem Link können Sie eines setzen.',
        'Der Link gilt 30 Minuten und funktioniert einmal.',
      ],
      action: 'Neues Passwort setzen',
      note: ['Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.'],
    },
    passwordChanged: {
      subject: 'Ihr Passwort bei {installation} wurde geändert',
      body: [
        'Das Passwort Ihres Kontos bei {installation} wurde geändert; andere Sitzungen wurden beendet.',
        notYou,
      ],
    },
    sessionEndedByReuse: {
      subject: 'Eine Sitzung bei {installation} wurde beendet',
      body: [
        'Der Schlüssel einer Ihrer Sitzungen bei {installation} wurde ein zweites Mal benutzt, wie es geschieht, wenn er kopiert wurde. Die Sitzung wurde beendet; melden Sie sich neu an, um weiterzumachen.',
        'Wenn Sie sich das nicht erklären können, setzen Sie ein neues Passwort und sehen Sie Ihre Sitzungen durch.',
      ],
    },
    identityLinked: {
      subject: 'Eine weitere Anmeldung wurde bei {installation} hinzugefügt',
      body: ['Von jetzt an meldet auch „{label}“ Sie bei Ihrem Konto bei {installation} an.', notYou],
    },
    mfaFactorAdded: {
      subject: 'Ein zweiter Faktor wurde bei {installation} hinzugefügt',
      body: [
        'Der zweite Faktor „{label}“ wurde Ihrem Konto bei {installation} hinzugefügt. Er wird ab jetzt bei jeder Anmeldung verlangt.',
        notYou,
      ],
    },
    mfaFactorRemoved: {
      subject: 'Ein zweiter Faktor wurde bei {installation} entfernt',
      body: [
        'Der zweite Faktor „{label}“ wurde aus Ihrem Konto bei {installation} entfernt; andere Sitzungen wurden beendet.',
        notYou,
      ],
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde bei {installation} benutzt',
      body: [
        'Jemand hat sich mit einem Wiederherstellungscode in Ihrem Konto bei {installation} angemeldet. {left, plural, =0 {Es ist keiner mehr übrig: Erzeugen Sie neue.} one {Einer ist noch übrig.} other {# sind noch übrig.}}',
        notYou,
      ],
    },
    accountSuspended: {
      subject: 'Ihr Konto bei {installation} wurde gesperrt',
      body: [
        'Ihr Konto bei {installation} wurde gesperrt. Angegebener Grund: {detail}',
        'Sie können sich weiterhin anmelden, um Ihre Daten zu lesen, sie zu exportieren und das Konto zu löschen.',
      ],
    },
    accountReinstated: {
      subject: 'Ihr Konto bei {installation} ist wieder offen',
      body: ['Ihr Konto bei {installation} kann wieder ohne Einschränkung benutzt werden.'],
    },
    accountDeletionScheduled: {
      subject: 'Ihr Konto bei {installation} wird gelöscht',
      body: [
        'Die Löschung Ihres Kontos bei {installation} wurde beantragt. Am {effectiveAt, date, long} wird es mit allem Persönlichen darin endgültig gelöscht.',
        'Bis dahin können Sie sich anmelden und die Löschung zurücknehmen.',
        notYou,
      ],
    },
    accountDeletionCanceled: {
      subject: 'Ihr Konto bei {installation} bleibt',
      body: [
        'Die Löschung Ihres Kontos bei {installation} wurde zurückgenommen. Es ist nichts verloren gegangen.',
        notYou,
      ],
    },
    dataExportReady: {
      subject: 'Ihr Datenexport von {installation} ist fertig',
      body: [
        'Der Export Ihrer Daten bei {installation} ist fertig. Melden Sie sich an, um ihn herunterzuladen, bis zum {expiresAt, date, long}.',
        notYou,
      ],
    },
    dealerInvitation: {
      subject: 'Einladung zu {tradeName} bei {installation}',
      body: [
        '{invitedBy} lädt Sie ein, bei {installation} für {tradeName} mitzuarbeiten, {role, select, owner {als Inhaber oder Inhaberin} manager {in der Leitung} other {im Verkauf}}.',
        'Melden Sie sich mit dem Konto an, das diese Adresse hat, oder legen Sie zuerst eines an. Der Link gilt 7 Tage und funktioniert einmal.',
      ],
      action: 'Einladung ansehen',
      note: ['Wenn Sie den Absender nicht kennen, tun Sie nichts.'],
    },
    dealerApproved: {
      subject: '{tradeName} wurde bei {installation} zugelassen',
      body: [
        'Die Angaben von {tradeName} wurden geprüft und für gut befunden. Ab jetzt kann bei {installation} veröffentlicht werden.',
      ],
    },
    dealerRejected: {
      subject: 'Die Angaben von {tradeName} brauchen Änderungen',
      body: [
        'Die Angaben von {tradeName} bei {installation} konnten nicht angenommen werden. Gründe: {reasons}',
        '{detail}',
        '{final, select, true {Diese Entscheidung ist endgültig.} other {Sie können die Angaben berichtigen und erneut einreichen.}}',
      ],
    },
    dealerVerificationExpired: {
      subject: 'Die Prüfung von {tradeName} ist abgelaufen',
      body: [
        'Die Prüfung von {tradeName} bei {installation} gilt nicht mehr: 24 Monate sind vorbei, oder ein Dokument ist abgelaufen.',
        'Bitte machen Sie die Angaben neu und reichen Sie sie ein.',
      ],
    },
    dealerSuspended: {
      subject: '{tradeName} wurde bei {installation} gesperrt',
      body: [
        '{tradeName} wurde bei {installation} gesperrt. Angegebener Grund: {detail}',
        'Die Angebote sind verborgen; die Mitglieder können weiterhin alles lesen.',
      ],
    },
    dealerReinstated: {
      subject: '{tradeName} ist bei {installation} wieder offen',
      body: [
        'Die Sperre von {tradeName} bei {installation} wurde aufgehoben. Die Angebote sind wieder sichtbar.',
      ],
    },
    listingApproved: {
      subject: '„{title}“ wurde bei {installation} freigegeben',
      body: ['Ihre Anzeige „{title}“ bei {installation} wurde geprüft und freigegeben.'],
    },
    listingRejected: {
      subject: 'Entscheidung über „{title}“ bei {installation}',
      body: [
        '{kind, select, revision {Die Änderung Ihrer Anzeige „{title}“ bei {installation} wurde abgelehnt. Was vorher zu sehen war, bleibt.} other {Ihre Anzeige „{title}“ ist bei {installation} nicht mehr zu sehen, für niemanden und bis sie wieder freigegeben wird.}}',
        'Gründe: {grounds}',
        '{detail}',
        'Das hat ein Mensch aus unserem Team entschieden, kein Programm. Sie können die Anzeige ändern und erneut veröffentlichen.',
        'Sie können bis zum {appealUntilAt, date, long} Beschwerde einlegen: Melden Sie sich an und melden Sie die Entscheidung {decisionId}. Das kostet nichts, und Menschen entscheiden darüber. Sie können sich auch an eine zertifizierte Stelle für außergerichtliche Streitbeilegung oder an ein Gericht wenden.',
      ],
    },
    confirmNotice: {
      subject: 'Bestätigen Sie Ihre Meldung an {installation}',
      body: [
        'Mit dieser Adresse wurde {installation} etwas gemeldet, das gegen das Gesetz verstößt oder dort nicht sein sollte. Die Meldung wird geprüft, sobald Sie sie bestätigen.',
        'Der Link gilt 7 Tage und funktioniert einmal.',
      ],
      action: 'Meldung bestätigen',
      note: ['Wenn Sie nichts gemeldet haben, tun Sie nichts: Ohne Bestätigung wird die Meldung entfernt.'],
    },
    noticeReceived: {
      subject: '{installation} hat Ihre Meldung erhalten',
      body: [
        'Ihre Meldung ist unter der Nummer {reportId} eingegangen. Ein Mensch aus unserem Team prüft sie und entscheidet; über das Ergebnis schreiben wir Ihnen.',
      ],
    },
    reportDecided: {
      subject: 'Über Ihre Meldung an {installation} wurde entschieden',
      body: [
        '{outcome, select, dismissed {Wir haben Ihre Meldung {reportId} geprüft und unternehmen nichts.} other {Wir haben Ihre Meldung {reportId} geprüft und etwas unternommen.}}',
        '{detail}',
        'Das hat ein Mensch aus unserem Team entschieden, kein Programm. Wenn Sie nicht einverstanden sind, können Sie sechs Monate lang um eine neue Prüfung bitten: Melden Sie sich an und melden Sie die Entscheidung {reportId}. Sie können sich auch an eine zertifizierte Stelle für außergerichtliche Streitbeilegung oder an ein Gericht wenden.',
      ],
    },
    appealDecided: {
      subject: 'Über Ihre Beschwerde bei {installation} wurde entschieden',
      body: [
        '{outcome, select, dismissed {Wir haben die Entscheidung noch einmal geprüft. Sie bleibt bestehen.} other {Wir haben die Entscheidung noch einmal geprüft und geändert.}} Die Nummer Ihrer Beschwerde: {reportId}',
        '{detail}',
        'Das hat ein Mensch aus unserem Team entschieden, kein Programm. Sie können sich auch an eine zertifizierte Stelle für außergerichtliche Streitbeilegung oder an ein Gericht wenden.',
      ],
    },
    listingsExpire: {
      subject:
        '{count, plural, one {Ein Angebot von Ihnen läuft bald ab} other {# Ihrer Angebote laufen bald ab}}: {installation}',
      body: [
        '{count, plural, one {Die Zeit von {titles}} other {Die Zeit von # Ihrer Angebote ({titles})}} bei {installation} endet am {firstAt, date, long}{count, plural, one {} other { oder kurz danach}}. Danach {count, plural, one {ist das Angebot} other {sind die Angebote}} nicht mehr zu sehen.',
        'Verlängern Sie, was noch zu haben ist; Verkauftes können Sie als verkauft kennzeichnen.',
      ],
    },
    savedSearchMatches: {
      subject: '{count, plural, one {Ein neues Angebot} other {Neue Angebote}} zu „{name}“',
      body: [
        'Ihre Suche „{name}“ bei {installation} hat Neues gefunden: {newest}{more, plural, =0 {.} one { und ein weiteres Angebot.} other { und # weitere Angebote.}}',
      ],
      action: 'Das neueste Angebot ansehen',
      note: [
        'Sie erhalten diese Mail, weil die Suche mit einer Benachrichtigung gespeichert ist. Sie können sie bei Ihren Suchen abschalten, oder alle zusammen in Ihren Einstellungen.',
      ],
    },
    messageReceived: {
      subject: 'Neue Nachricht zu „{title}“',
      body: ['Jemand hat Ihnen bei {installation} zu „{title}“ geschrieben.'],
      action: 'Nachricht lesen',
      note: [
        'Solange eine Nachricht auf Sie wartet, wird Ihnen keine weitere gemeldet. Sie können diese Mails für eine Unterhaltung abschalten, oder alle zusammen in Ihren Einstellungen.',
      ],
    },
    apiClientCreated: {
      subject: 'Neuer Zugang für ein Programm bei {tradeName}',
      body: [
        '{createdBy} hat für {tradeName} bei {installation} den API-Client „{name}“ angelegt. Wer dessen Geheimnis hat, kann in seinem Rahmen für {tradeName} handeln.',
        'Wenn Sie das nicht erwartet haben, löschen Sie den Client.',
      ],
    },
  },
};
