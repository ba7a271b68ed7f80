import type { AccountTexts } from './AccountTexts.ts';

export const german: AccountTexts = {
  noScript:
    'Diese Seite braucht JavaScript: Der Link Ihrer Mail wird von der Seite selbst gelesen und sonst niemandem gesendet.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen, besser 15 oder mehr. Alle Zeichen sind erlaubt.',
  showPassword: 'Passwort anzeigen',
  sendLink: 'Neuen Link senden',
  linkSent:
    'Wenn diese Adresse einen Link braucht, ist er unterwegs. Sehen Sie in Ihrem Postfach nach, auch bei den unerwünschten Mails.',
  confirmEmail: {
    title: 'Adresse bestätigen',
    intro: 'Bestätigen Sie, dass die Adresse, an die die Mail ging, Ihnen gehört.',
    action: 'Adresse bestätigen',
    done: 'Die Adresse ist bestätigt. Sie können diese Seite schließen und sich anmelden.',
    askAgain: 'Für einen neuen Link geben Sie die Adresse Ihres Kontos ein.',
  },
  resetPassword: {
    title: 'Neues Passwort setzen',
    intro: 'Wählen Sie ein neues Passwort. Sie werden überall abgemeldet.',
    action: 'Passwort setzen',
    done: 'Das neue Passwort ist gesetzt. Sie können diese Seite schließen und sich damit anmelden.',
    askAgain: 'Geben Sie die Adresse Ihres Kontos ein, um einen Link für ein neues Passwort zu erhalten.',
  },
  acceptInvitation: {
    title: 'Einladung annehmen',
    intro:
      'Melden Sie sich mit dem Konto an, das die Adresse hat, an die die Einladung ging. Wenn Sie noch keines haben, legen Sie es zuerst an, bestätigen Sie seine Adresse und öffnen Sie dann den Link noch einmal.',
    action: 'Anmelden und annehmen',
    code: 'Code Ihrer Authentifizierungs-App oder ein Wiederherstellungscode',
    codeIntro: 'Ihr Konto verlangt einen zweiten Faktor.',
    codeAction: 'Annehmen',
    done: 'Sie sind jetzt Mitglied. Sie können diese Seite schließen; wo immer Sie sich anmelden, handeln Sie für den Händler.',
    noLink: 'Öffnen Sie den Link in der Mail, mit der die Einladung kam.',
  },
  confirmNotice: {
    title: 'Meldung bestätigen',
    intro: 'Bestätigen Sie, dass die Meldung von Ihnen ist. Danach wird sie geprüft.',
    action: 'Meldung bestätigen',
    done: 'Die Meldung ist eingegangen. Sie können diese Seite schließen; das Ergebnis kommt per Mail.',
    noLink: 'Öffnen Sie den Link in der Mail, die um die Bestätigung bat.',
  },
  messages: {
    not_found: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
    token_consumed: 'Dieser Link wurde schon benutzt. Wenn Sie noch einen brauchen, fordern Sie ihn an.',
    email_taken:
      'Inzwischen hat ein anderes Konto diese Adresse. Melden Sie sich mit jenem an, oder wählen Sie eine andere Adresse.',
    weak_password:
      'Dieses Passwort ist zu leicht zu erraten: Es ist zu kurz, sehr verbreitet oder enthält Ihre Adresse, Ihren Namen oder den Namen dieser Seite.',
    validation_failed: 'Das ist keine vollständige E-Mail-Adresse.',
    invalid_credentials: 'Adresse, Passwort oder Code stimmen nicht. Bitte versuchen Sie es noch einmal.',
    otp_invalid: 'Der Code stimmt nicht oder wurde schon benutzt. Warten Sie auf den nächsten.',
    too_many_attempts: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
    rate_limited: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    email_unverified:
      'Bestätigen Sie zuerst die Adresse Ihres Kontos: Der Link wurde Ihnen per Mail gesendet.',
    invitation_for_other_address:
      'Die Einladung ging an eine andere Adresse. Melden Sie sich mit dem Konto an, das sie hat.',
    invitation_expired: 'Die Einladung ist abgelaufen. Bitten Sie den Absender um eine neue.',
    already_member: 'Sie sind bereits Mitglied dieses Händlers. Es ist nichts mehr zu tun.',
    dealer_not_active: 'Der Händler kann gerade keine Mitglieder aufnehmen. Fragen Sie den Absender.',
    quota_exceeded: 'Der Händler hat so viele Mitglieder, wie er haben darf. Fragen Sie den Absender.',
    account_suspended: 'Ihr Konto ist gesperrt. Schreiben Sie dem Kundendienst.',
    account_deletion_scheduled: 'Ihr Konto wird bald gelöscht. Nehmen Sie zuerst die Löschung zurück.',
    offline: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    unknown:
      'Das hat nicht geklappt. Versuchen Sie es später noch einmal; wenn es so bleibt, schreiben Sie dem Kundendienst.',
  },
  invitationMessages: {
    not_found:
      'Diese Einladung gibt es nicht mehr: Sie wurde zurückgenommen oder durch eine neuere Mail ersetzt.',
    token_consumed: 'Diese Einladung wurde schon angenommen.',
  },
  noticeMessages: {
    not_found: 'Diese Meldung gibt es nicht mehr: Der Link ist abgelaufen. Melden Sie es noch einmal.',
    token_consumed: 'Diese Meldung wurde schon bestätigt. Es bleibt nichts zu tun.',
  },
};
