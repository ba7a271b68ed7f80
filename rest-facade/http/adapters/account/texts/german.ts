import type { AccountTexts } from './AccountTexts.ts';

export const german: AccountTexts = {
  noScript:
    'Diese Seite benötigt JavaScript. Sie liest den Link aus Ihrer E-Mail selbst und gibt ihn nicht weiter.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen, besser 15 oder mehr. Alle Zeichen sind erlaubt.',
  showPassword: 'Passwort anzeigen',
  sendLink: 'Neuen Link senden',
  linkSent:
    'Falls ein Konto einen Link benötigt, haben wir ihn an diese Adresse gesendet. Sehen Sie in Ihrem Posteingang und im Spam-Ordner nach.',
  confirmEmail: {
    title: 'E-Mail-Adresse bestätigen',
    intro: 'Bestätigen Sie, dass die Adresse, an die wir die E-Mail gesendet haben, Ihnen gehört.',
    action: 'E-Mail-Adresse bestätigen',
    done: 'Ihre E-Mail-Adresse ist bestätigt. Sie können diese Seite schließen und sich anmelden.',
    askAgain: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein, um einen neuen Link zu erhalten.',
  },
  resetPassword: {
    title: 'Neues Passwort festlegen',
    intro: 'Wählen Sie ein neues Passwort. Sie werden auf allen Geräten abgemeldet.',
    action: 'Passwort festlegen',
    done: 'Ihr neues Passwort ist festgelegt. Sie können diese Seite schließen und sich damit anmelden.',
    askAgain:
      'Geben Sie die E-Mail-Adresse Ihres Kontos ein, um einen Link für ein neues Passwort zu erhalten.',
  },
  acceptInvitation: {
    title: 'Einladung annehmen',
    intro:
      'Melden Sie sich mit dem Konto an, an dessen E-Mail-Adresse die Einladung ging. Wenn Sie noch kein Konto haben, legen Sie eines an, bestätigen Sie die E-Mail-Adresse und öffnen Sie den Link erneut.',
    action: 'Anmelden und annehmen',
    code: 'Code Ihrer Authentifizierungs-App oder ein Wiederherstellungscode',
    codeIntro: 'Für Ihr Konto ist ein zweiter Faktor erforderlich.',
    codeAction: 'Annehmen',
    done: 'Sie sind jetzt Mitglied. Sie können diese Seite schließen. Wenn Sie angemeldet sind, können Sie für den Händler handeln.',
    noLink: 'Öffnen Sie den Link in der E-Mail mit der Einladung.',
  },
  confirmNotice: {
    title: 'Meldung bestätigen',
    intro: 'Bestätigen Sie, dass die Meldung von Ihnen stammt. Danach wird sie geprüft.',
    action: 'Meldung bestätigen',
    done: 'Ihre Meldung ist eingegangen. Sie können diese Seite schließen. Das Ergebnis teilen wir Ihnen per E-Mail mit.',
    noLink: 'Öffnen Sie den Link in der E-Mail mit der Bitte um Bestätigung.',
  },
  returned: {
    title: 'Zurück vom Zahlungsanbieter',
    done: 'Ihre Angaben wurden an den Zahlungsanbieter gesendet. Sie können diese Seite schließen. Das Ergebnis sehen Sie dort, wo Sie begonnen haben.',
  },
  messages: {
    not_found: 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
    token_consumed: 'Dieser Link wurde bereits verwendet. Fordern Sie bei Bedarf einen neuen an.',
    email_taken:
      'Diese E-Mail-Adresse gehört inzwischen zu einem anderen Konto. Melden Sie sich mit diesem Konto an oder wählen Sie eine andere Adresse.',
    weak_password:
      'Dieses Passwort ist zu leicht zu erraten: Es ist zu kurz, sehr verbreitet oder enthält Ihre E-Mail-Adresse, Ihren Namen oder den Namen dieser Website.',
    validation_failed: 'Das ist keine vollständige E-Mail-Adresse.',
    invalid_credentials: 'E-Mail-Adresse, Passwort oder Code ist falsch. Bitte versuchen Sie es noch einmal.',
    otp_invalid: 'Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten.',
    too_many_attempts: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
    rate_limited: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    email_unverified:
      'Bestätigen Sie zuerst die E-Mail-Adresse Ihres Kontos. Den Link haben wir Ihnen per E-Mail gesendet.',
    invitation_for_other_address:
      'Die Einladung ging an eine andere E-Mail-Adresse. Melden Sie sich mit dem Konto dieser Adresse an.',
    invitation_expired:
      'Die Einladung ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    already_member: 'Sie sind bereits Mitglied dieses Händlers. Es ist nichts mehr zu tun.',
    dealer_not_active:
      'Der Händler kann zurzeit keine Mitglieder aufnehmen. Fragen Sie die Person, die Sie eingeladen hat.',
    quota_exceeded:
      'Der Händler hat die Höchstzahl an Mitgliedern erreicht. Fragen Sie die Person, die Sie eingeladen hat.',
    account_suspended: 'Ihr Konto ist gesperrt. Wenden Sie sich an den Kundendienst.',
    account_deletion_scheduled:
      'Die Löschung Ihres Kontos ist vorgemerkt. Brechen Sie zuerst die Löschung ab.',
    offline: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    unknown:
      'Etwas ist schiefgegangen. Versuchen Sie es später noch einmal. Wenn der Fehler wieder auftritt, wenden Sie sich an den Kundendienst.',
  },
  invitationMessages: {
    not_found:
      'Diese Einladung gibt es nicht mehr. Sie wurde zurückgezogen oder durch eine neuere E-Mail ersetzt.',
    token_consumed: 'Diese Einladung wurde bereits angenommen.',
  },
  noticeMessages: {
    not_found:
      'Diese Meldung gibt es nicht mehr, weil ihr Link abgelaufen ist. Reichen Sie sie noch einmal ein.',
    token_consumed: 'Diese Meldung wurde bereits bestätigt. Es ist nichts mehr zu tun.',
  },
};
