import type { AccountTexts } from './AccountTexts.ts';

export const french: AccountTexts = {
  noScript:
    'Cette page a besoin de JavaScript : le lien de votre message est lu par la page elle-même et n’est envoyé à personne d’autre.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins 8 caractères, mieux 15 ou plus. Tous les caractères conviennent.',
  showPassword: 'Afficher le mot de passe',
  sendLink: 'Envoyer un nouveau lien',
  linkSent:
    'Si cette adresse peut utiliser un lien, il est en route. Regardez dans votre boîte, y compris parmi les indésirables.',
  confirmEmail: {
    title: 'Confirmez votre adresse',
    intro: 'Confirmez que l’adresse à laquelle le message a été envoyé est la vôtre.',
    action: 'Confirmer l’adresse',
    done: 'L’adresse est confirmée. Vous pouvez fermer cette page et vous connecter.',
    askAgain: 'Pour recevoir un nouveau lien, indiquez l’adresse de votre compte.',
  },
  resetPassword: {
    title: 'Définir un nouveau mot de passe',
    intro: 'Choisissez un nouveau mot de passe. Vous serez déconnecté partout.',
    action: 'Définir le mot de passe',
    done: 'Le nouveau mot de passe est défini. Vous pouvez fermer cette page et vous connecter avec lui.',
    askAgain: 'Indiquez l’adresse de votre compte pour recevoir un lien qui définit un nouveau mot de passe.',
  },
  acceptInvitation: {
    title: 'Accepter l’invitation',
    intro:
      'Connectez-vous avec le compte qui a l’adresse à laquelle l’invitation a été envoyée. Si vous n’en avez pas encore, créez-le d’abord, confirmez son adresse, puis ouvrez à nouveau le lien.',
    action: 'Se connecter et accepter',
    code: 'Code de votre application d’authentification, ou code de secours',
    codeIntro: 'Votre compte demande un second facteur.',
    codeAction: 'Accepter',
    done: 'Vous êtes maintenant membre. Vous pouvez fermer cette page ; où que vous vous connectiez, vous agissez pour ce professionnel.',
    noLink: 'Ouvrez le lien du message qui contient l’invitation.',
  },
  confirmNotice: {
    title: 'Confirmer la notification',
    intro: 'Confirmez que cette notification vient de vous. Elle est examinée ensuite.',
    action: 'Confirmer la notification',
    done: 'La notification est enregistrée. Vous pouvez fermer cette page ; le résultat arrive par courriel.',
    noLink: 'Ouvrez le lien du message qui demandait la confirmation.',
  },
  messages: {
    not_found: 'Ce lien n’est plus valable. Demandez-en un nouveau.',
    token_consumed: 'Ce lien a déjà servi. S’il vous en faut un autre, demandez-le.',
    email_taken:
      'Un autre compte a désormais cette adresse. Connectez-vous avec lui, ou choisissez une autre adresse.',
    weak_password:
      'Ce mot de passe est trop facile à deviner : il est trop court, très répandu, ou contient votre adresse, votre nom ou le nom de ce site.',
    validation_failed: 'Cette adresse e-mail n’est pas complète.',
    invalid_credentials: 'Adresse, mot de passe ou code incorrects. Veuillez réessayer.',
    otp_invalid: 'Le code est incorrect ou a déjà servi. Attendez le suivant.',
    too_many_attempts: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    rate_limited: 'Trop de demandes. Attendez une minute, puis réessayez.',
    email_unverified: 'Confirmez d’abord l’adresse de votre compte : le lien vous a été envoyé par e-mail.',
    invitation_for_other_address:
      'L’invitation a été envoyée à une autre adresse. Connectez-vous avec le compte qui l’a.',
    invitation_expired: 'L’invitation a expiré. Demandez-en une nouvelle à la personne qui vous a invité.',
    already_member: 'Vous êtes déjà membre. Il n’y a plus rien à faire.',
    dealer_not_active:
      'Aucun membre ne peut être accueilli pour le moment. Adressez-vous à la personne qui vous a invité.',
    quota_exceeded: 'Le nombre de membres permis est atteint. Adressez-vous à la personne qui vous a invité.',
    account_suspended: 'Votre compte est suspendu. Écrivez à l’assistance.',
    account_deletion_scheduled: 'Votre compte va être supprimé. Annulez d’abord la suppression.',
    offline: 'Le serveur est injoignable. Vérifiez votre connexion, puis réessayez.',
    unknown: 'Cela n’a pas fonctionné. Réessayez plus tard ; si cela continue, écrivez à l’assistance.',
  },
  invitationMessages: {
    not_found:
      'Cette invitation n’existe plus : elle a été retirée, ou remplacée par un message plus récent.',
    token_consumed: 'Cette invitation a déjà été acceptée.',
  },
  noticeMessages: {
    not_found: 'Cette notification n’existe plus : son lien a expiré. Notifiez de nouveau.',
    token_consumed: 'Cette notification est déjà confirmée. Il ne reste rien à faire.',
  },
};
