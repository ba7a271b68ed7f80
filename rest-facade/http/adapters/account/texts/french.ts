import type { AccountTexts } from './AccountTexts.ts';

export const french: AccountTexts = {
  noScript:
    'Cette page nécessite JavaScript. Elle lit elle-même le lien de votre e-mail et ne le communique à personne.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins 8 caractères, de préférence 15 ou plus. Tous les caractères sont autorisés.',
  showPassword: 'Afficher le mot de passe',
  sendLink: 'Envoyer un nouveau lien',
  linkSent:
    'Si un compte a besoin d’un lien, nous l’avons envoyé à cette adresse. Vérifiez votre boîte de réception et vos courriers indésirables.',
  confirmEmail: {
    title: 'Confirmez votre adresse e-mail',
    intro: 'Confirmez que l’adresse à laquelle nous avons envoyé l’e-mail est bien la vôtre.',
    action: 'Confirmer l’adresse e-mail',
    done: 'Votre adresse e-mail est confirmée. Vous pouvez fermer cette page et vous connecter.',
    askAgain: 'Pour recevoir un nouveau lien, saisissez l’adresse e-mail de votre compte.',
  },
  resetPassword: {
    title: 'Définir un nouveau mot de passe',
    intro: 'Choisissez un nouveau mot de passe. Toutes vos sessions seront fermées.',
    action: 'Définir le mot de passe',
    done: 'Votre nouveau mot de passe est défini. Vous pouvez fermer cette page et l’utiliser pour vous connecter.',
    askAgain:
      'Saisissez l’adresse e-mail de votre compte pour recevoir un lien permettant de définir un nouveau mot de passe.',
  },
  acceptInvitation: {
    title: 'Accepter l’invitation',
    intro:
      'Connectez-vous avec le compte dont l’adresse e-mail a reçu l’invitation. Si vous n’avez pas encore de compte, créez-en un, confirmez son adresse e-mail, puis ouvrez à nouveau le lien.',
    action: 'Se connecter et accepter',
    code: 'Code de votre application d’authentification, ou code de secours',
    codeIntro: 'Votre compte exige un second facteur.',
    codeAction: 'Accepter',
    done: 'Vous êtes maintenant membre. Vous pouvez fermer cette page. Une fois connecté, vous pouvez agir au nom de ce professionnel.',
    noLink: 'Ouvrez le lien qui figure dans l’e-mail d’invitation.',
  },
  confirmNotice: {
    title: 'Confirmer la notification',
    intro: 'Confirmez que cette notification vient bien de vous. Elle sera ensuite examinée.',
    action: 'Confirmer la notification',
    done: 'Votre notification est enregistrée. Vous pouvez fermer cette page. Nous vous communiquerons le résultat par e-mail.',
    noLink: 'Ouvrez le lien qui figure dans l’e-mail de confirmation.',
  },
  returned: {
    title: 'Retour du prestataire de paiement',
    done: 'Vos informations ont été envoyées au prestataire de paiement. Vous pouvez fermer cette page. Le résultat s’affiche là où vous avez commencé.',
  },
  messages: {
    not_found: 'Ce lien a expiré. Demandez-en un nouveau.',
    token_consumed: 'Ce lien a déjà été utilisé. Si nécessaire, demandez-en un nouveau.',
    email_taken:
      'Cette adresse e-mail est désormais celle d’un autre compte. Connectez-vous à ce compte ou choisissez une autre adresse.',
    weak_password:
      'Ce mot de passe est trop facile à deviner : il est trop court, très répandu, ou contient votre adresse e-mail, votre nom ou le nom de ce site.',
    validation_failed: 'Cette adresse e-mail n’est pas complète.',
    invalid_credentials: 'L’adresse e-mail, le mot de passe ou le code est incorrect. Veuillez réessayer.',
    otp_invalid: 'Le code est incorrect ou a déjà été utilisé. Attendez le suivant.',
    too_many_attempts: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    rate_limited: 'Trop de demandes. Attendez une minute, puis réessayez.',
    email_unverified:
      'Confirmez d’abord l’adresse e-mail de votre compte. Nous vous avons envoyé le lien par e-mail.',
    invitation_for_other_address:
      'L’invitation a été envoyée à une autre adresse e-mail. Connectez-vous avec le compte de cette adresse.',
    invitation_expired: 'L’invitation a expiré. Demandez-en une nouvelle à la personne qui vous a invité.',
    already_member: 'Vous êtes déjà membre de l’équipe de ce professionnel. Vous n’avez plus rien à faire.',
    dealer_not_active:
      'Ce professionnel ne peut accueillir aucun membre pour le moment. Adressez-vous à la personne qui vous a invité.',
    quota_exceeded:
      'Ce professionnel a atteint le nombre maximal de membres. Adressez-vous à la personne qui vous a invité.',
    account_suspended: 'Votre compte est suspendu. Contactez l’assistance.',
    account_deletion_scheduled: 'La suppression de votre compte est programmée. Annulez-la d’abord.',
    offline: 'Le serveur est injoignable. Vérifiez votre connexion, puis réessayez.',
    unknown: 'Une erreur s’est produite. Réessayez plus tard. Si elle se reproduit, contactez l’assistance.',
  },
  invitationMessages: {
    not_found: 'Cette invitation n’existe plus. Elle a été retirée ou remplacée par un e-mail plus récent.',
    token_consumed: 'Cette invitation a déjà été acceptée.',
  },
  noticeMessages: {
    not_found: 'Cette notification n’existe plus, car son lien a expiré. Soumettez-la de nouveau.',
    token_consumed: 'Cette notification a déjà été confirmée. Vous n’avez plus rien à faire.',
  },
};
