import type { MoneyTexts } from '../MailTexts.ts';

const settings = 'Mails über Zahlungen können Sie in Ihren Einstellungen abschalten.';

export const german: MoneyTexts = {
  paymentReceipt: {
    subject: 'Ihre Zahlung für „{title}“: Beleg {receiptNumber}',
    body: [
      '{purpose, select, deposit {Ihre Anzahlung von {amount} für „{title}“ bei {installation} ist erfolgt. Das Angebot ist für Sie reserviert.} promotion {Die Hervorhebung von „{title}“ bei {installation} ist bezahlt: {amount}.} other {Ihre Zahlung von {amount} für „{title}“ bei {installation} ist erfolgt.}}',
      'Die Nummer des Belegs ist {receiptNumber}.',
    ],
    note: [settings],
  },
  paymentReceived: {
    subject: 'Für „{title}“ wurde gezahlt',
    body: [
      '{purpose, select, deposit {Für „{title}“ bei {installation} wurden {amount} angezahlt. Das Angebot ist für die kaufende Person reserviert.} other {Für „{title}“ bei {installation} wurden {amount} gezahlt.}}',
    ],
    note: [settings],
  },
  paymentAuthorized: {
    subject: 'Eine Zahlung für „{title}“ wartet auf Sie',
    body: [
      'Für „{title}“ bei {installation} sind {amount} vorgemerkt. Ziehen Sie den Betrag bis zum {untilAt, date, long} ein, oder geben Sie ihn frei: Danach verfällt die Vormerkung.',
    ],
    note: [settings],
  },
  paymentExpires: {
    subject: 'Die Zahlung für „{title}“ verfällt bald',
    body: [
      'Die {amount}, die für „{title}“ bei {installation} vorgemerkt sind, können bis zum {untilAt, date, long} eingezogen werden. Geschieht das nicht, endet die Zahlung und mit ihr die Reservierung.',
    ],
    note: [settings],
  },
  paymentFailed: {
    subject: 'Ihre Zahlung für „{title}“ ist fehlgeschlagen',
    body: [
      'Ihre Bank hat die Zahlung von {amount} für „{title}“ bei {installation} nicht ausgeführt. Es wurde nichts abgebucht. Sie können erneut zahlen, auch auf anderem Weg.',
    ],
    note: [settings],
  },
  paymentReleased: {
    subject: 'Für „{title}“ wurde nichts abgebucht',
    body: [
      '{taken, select, true {Jemand anderes war bei „{title}“ auf {installation} schneller. Die {amount}, die Sie zahlen wollten, wurden nicht abgebucht.} other {Ihre Zahlung von {amount} für „{title}“ bei {installation} wurde beendet, bevor etwas abgebucht wurde.}}',
      'Zeigt Ihre Bank den Betrag als vorgemerkt an, gibt sie ihn in einigen Tagen frei.',
    ],
    note: [settings],
  },
  refundSent: {
    subject: 'Erstattung für „{title}“',
    body: [
      'Von Ihrer Zahlung für „{title}“ bei {installation} erhalten Sie {amount} zurück, auf dem Weg, auf dem Sie gezahlt haben. Banken brauchen dafür einige Tage.',
    ],
    note: [settings],
  },
  disputeOpened: {
    subject: 'Die Zahlung für „{title}“ wird beanstandet',
    body: [
      'Jemand hat die Zahlung für „{title}“ bei {installation} beanstandet. {amount} Ihres Guthabens werden bis zur Entscheidung zurückgehalten.',
      'Sagen Sie bis zum {respondByAt, date, long}, wie Sie es sehen, und legen Sie bei, was es belegt. Danach wird nach dem entschieden, was vorliegt.',
    ],
    note: [settings],
  },
  disputeDecided: {
    subject: 'Über die Beanstandung zu „{title}“ wurde entschieden',
    body: [
      '{outcome, select, won {Die Beanstandung über {amount} für „{title}“ bei {installation} wurde zugunsten des Händlers entschieden: Es geht nichts zurück.} lost {Die Beanstandung über {amount} für „{title}“ bei {installation} wurde zugunsten der kaufenden Person entschieden: Der Betrag geht zurück.} split {Die Beanstandung über {amount} für „{title}“ bei {installation} wurde geteilt entschieden: Ein Teil des Betrags geht zurück.} other {Die Beanstandung über {amount} für „{title}“ bei {installation} wurde zurückgezogen.}}',
      'Die Gründe lesen Sie, wenn Sie sich anmelden.',
    ],
    note: [settings],
  },
  payoutSent: {
    subject: '{amount} sind unterwegs zu {tradeName}',
    body: [
      'Das Guthaben von {tradeName} bei {installation} wird ausgezahlt: {amount} sind auf dem Weg zum Bankkonto. Das dauert einige Tage.',
    ],
    note: [settings],
  },
  payoutFailed: {
    subject: 'Eine Auszahlung an {tradeName} ist fehlgeschlagen',
    body: [
      'Die Bank hat die Auszahlung von {amount} an {tradeName} bei {installation} nicht angenommen. Das Geld bleibt für Sie zurückgelegt. Prüfen Sie Ihre Bankverbindung beim Zahlungsdienst; mit einer anderen wird es erneut versucht, und nach sieben Tagen gehört der Betrag wieder zum Guthaben.',
    ],
    note: [settings],
  },
};
