import type { MailTexts } from './MailTexts.ts';
import { french as money } from './money/french.ts';

const notYou =
  'Si ce n’était pas vous, définissez tout de suite un nouveau mot de passe et fermez les sessions que vous ne connaissez pas.';

export const french: MailTexts = {
  greeting: 'Bonjour {displayName},',
  plainGreeting: 'Bonjour,',
  copyLink: 'Si le lien ne s’ouvre pas, copiez cette adresse dans votre navigateur :',
  closing: 'Ce message a été envoyé par {installation}. Les réponses ne sont pas lues.',
  rejectionReasons: {
    document_missing: 'un document manque',
    document_unreadable: 'un document est illisible',
    document_expired: 'un document n’est plus valable',
    identity_mismatch: 'le représentant n’est pas la personne des documents',
    registration_not_found: 'le registre ne connaît pas l’entreprise',
    vat_id_invalid: 'le numéro de TVA n’est pas celui de l’entreprise',
    address_not_proven: 'l’adresse n’est pas prouvée',
    business_not_allowed: 'ce genre d’entreprise n’est pas admis',
    fraud_suspected: 'il y a des signes de fraude',
    other: 'une autre raison',
  },
  rejectionGrounds: {
    illegal: 'contraire à la loi',
    fraud: 'des signes de fraude',
    prohibited: 'non admis ici',
    miscategorised: 'mauvaise catégorie',
    misleading: 'des indications fausses ou incomplètes',
    infringement: 'atteinte au droit d’un tiers',
    harassment: 'blesse ou menace des personnes',
    spam: 'publicité pour autre chose, ou sans utilité',
    duplicate: 'déjà proposé',
    incomplete: 'les textes ou les images ne montrent pas ce qui est proposé',
    other: 'une autre raison',
  },
  mails: {
    ...money,
    verifyEmail: {
      subject: 'Confirmez votre adresse pour {installation}',
      body: [
        'Un compte {installation} a été créé avec cette adresse. Confirmez qu’elle est à vous ; d’ici là, le compte ne peut ni publier ni écrire à personne.',
        'Le lien est valable 24 heures et ne sert qu’une fois.',
      ],
      action: 'Confirmer l’adresse',
      note: [
        'Si vous n’avez pas créé de compte, ne faites rien : sans confirmation, il sera supprimé après 30 jours.',
      ],
    },
    accountExists: {
      subject: 'Vous avez déjà un compte {installation}',
      body: [
        'Quelqu’un a voulu créer un compte {installation} avec cette adresse, qui appartient déjà à votre compte. Rien n’a été modifié.',
        'Si c’était vous, connectez-vous comme d’habitude. Si vous ne connaissez plus votre mot de passe, vous pouvez en définir un nouveau.',
      ],
      action: 'Définir un nouveau mot de passe',
      note: ['Si ce n’était pas vous, ne faites rien.'],
    },
    confirmNewEmail: {
      subject: 'Confirmez votre nouvelle adresse pour {installation}',
      body: [
        'Cette adresse doit devenir celle de votre compte {installation}. Elle le sera dès que vous l’aurez confirmée.',
        'Le lien est valable 24 heures et ne sert qu’une fois.',
      ],
      action: 'Confirmer la nouvelle adresse',
      note: ['Si vous n’en savez rien, ne faites rien : le compte garde son adresse.'],
    },
    emailChangeRequested: {
      subject: 'Votre adresse {installation} doit être modifiée',
      body: [
        'Une personne connectée à votre compte {installation} veut en changer l’adresse pour {newEmail}. Le changement prend effet dès qu’il est confirmé depuis celle-ci.',
        notYou,
      ],
    },
    emailChanged: {
      subject: 'Votre adresse {installation} a été modifiée',
      body: [
        'L’adresse de votre compte {installation} est désormais {newEmail}. Ce message est le dernier envoyé à l’ancienne adresse.',
        'Si ce n’était pas vous, écrivez tout de suite à l’assistance de {installation}.',
      ],
    },
    resetPassword: {
      subject: 'Définissez un nouveau mot de passe pour {installation}',
      body: [
        'Un nouveau mot de passe a été demandé pour votre compte {installation}. Ce lien permet d’en définir un.',
        'Le lien est valable 30 minutes et ne sert qu’une fois.',
      ],
      action: 'Définir un nouveau mot de passe',
      note: ['Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.'],
    },
    passwordChanged: {
      subject: 'Votre mot de passe {installation} a été modifié',
      body: [
        'Le mot de passe de votre compte {installation} a été modifié et les autres sessions ont été fermées.',
        notYou,
      ],
    },
    sessionEndedByReuse: {
      subject: 'Une session {installation} a été fermée',
      body: [
        'La clé de l’une de vos sessions {installation} a servi une seconde fois, comme cela arrive quand elle a été copiée. La session a été fermée ; reconnectez-vous pour continuer.',
        'Si vous ne vous l’expliquez pas, définissez un nouveau mot de passe et vérifiez vos sessions.',
      ],
    },
    identityLinked: {
      subject: 'Un autre moyen de connexion a été ajouté sur {installation}',
      body: ['Désormais, « {label} » permet aussi de se connecter à votre compte {installation}.', notYou],
    },
    mfaFactorAdded: {
      subject: 'Un second facteur a été ajouté sur {installation}',
      body: [
        'Le second facteur « {label} » a été ajouté à votre compte {installation}. Il sera demandé à chaque connexion.',
        notYou,
      ],
    },
    mfaFactorRemoved: {
      subject: 'Un second facteur a été retiré sur {installation}',
      body: [
        'Le second facteur « {label} » a été retiré de votre compte {installation} et les autres sessions ont été fermées.',
        notYou,
      ],
    },
    recoveryCodeUsed: {
      subject: 'Un code de secours a été utilisé sur {installation}',
      body: [
        'Quelqu’un s’est connecté à votre compte {installation} avec un code de secours. {left, plural, =0 {Il n’en reste aucun : créez-en de nouveaux.} one {Il en reste un.} other {Il en reste #.}}',
        notYou,
      ],
    },
    accountSuspended: {
      subject: 'Votre compte {installation} a été suspendu',
      body: [
        'Votre compte {installation} a été suspendu. Raison indiquée : {detail}',
        'Vous pouvez toujours vous connecter pour lire vos données, les exporter et supprimer le compte.',
      ],
    },
    accountReinstated: {
      subject: 'Votre compte {installation} est rouvert',
      body: ['Votre compte {installation} peut de nouveau être utilisé sans restriction.'],
    },
    accountDeletionScheduled: {
      subject: 'Votre compte {installation} va être supprimé',
      body: [
        'La suppression de votre compte {installation} a été demandée. Le {effectiveAt, date, long}, il sera effacé pour de bon avec tout ce qu’il contient de personnel.',
        'D’ici là, vous pouvez vous connecter et annuler la suppression.',
        notYou,
      ],
    },
    accountDeletionCanceled: {
      subject: 'Votre compte {installation} est conservé',
      body: ['La suppression de votre compte {installation} a été annulée. Rien n’a été perdu.', notYou],
    },
    dataExportReady: {
      subject: 'Votre export de données {installation} est prêt',
      body: [
        'L’export de vos données {installation} est prêt. Connectez-vous pour le télécharger, jusqu’au {expiresAt, date, long}.',
        notYou,
      ],
    },
    dealerInvitation: {
      subject: 'Rejoignez {tradeName} sur {installation}',
      body: [
        '{invitedBy} vous invite à rejoindre {tradeName} sur {installation}, {role, select, owner {comme propriétaire} manager {comme responsable} other {comme agent}}.',
        'Connectez-vous avec le compte qui a cette adresse, ou créez-en d’abord un. Le lien est valable 7 jours et ne sert qu’une fois.',
      ],
      action: 'Voir l’invitation',
      note: ['Si vous ne connaissez pas l’expéditeur, ne faites rien.'],
    },
    dealerApproved: {
      subject: '{tradeName} a été approuvé sur {installation}',
      body: [
        'Les informations de {tradeName} ont été vérifiées et approuvées. La publication sur {installation} est ouverte.',
      ],
    },
    dealerRejected: {
      subject: 'Les informations de {tradeName} sont à corriger',
      body: [
        'Les informations de {tradeName} sur {installation} n’ont pas pu être approuvées. Raisons : {reasons}',
        '{detail}',
        '{final, select, true {Cette décision est définitive.} other {Vous pouvez corriger les informations et les soumettre à nouveau.}}',
      ],
    },
    dealerVerificationExpired: {
      subject: 'La vérification de {tradeName} a expiré',
      body: [
        'La vérification de {tradeName} sur {installation} n’est plus valable : 24 mois sont passés, ou un document a expiré.',
        'Indiquez à nouveau les informations et soumettez-les.',
      ],
    },
    dealerSuspended: {
      subject: '{tradeName} a été suspendu sur {installation}',
      body: [
        '{tradeName} a été suspendu sur {installation}. Raison indiquée : {detail}',
        'Ses annonces sont masquées ; ses membres peuvent toujours tout lire.',
      ],
    },
    dealerReinstated: {
      subject: '{tradeName} est rouvert sur {installation}',
      body: [
        'La suspension de {tradeName} sur {installation} a été levée. Ses annonces sont de nouveau visibles.',
      ],
    },
    listingApproved: {
      subject: '« {title} » a été approuvée sur {installation}',
      body: ['Votre annonce « {title} » sur {installation} a été examinée et approuvée.'],
    },
    listingRejected: {
      subject: 'Décision sur « {title} » sur {installation}',
      body: [
        '{kind, select, revision {La modification de votre annonce « {title} » sur {installation} a été refusée. Ce qui était visible le reste.} other {Votre annonce « {title} » n’est plus visible sur {installation}, pour personne et jusqu’à une nouvelle approbation.}}',
        'Raisons : {grounds}',
        '{detail}',
        'Une personne de notre équipe l’a décidé, pas un programme. Vous pouvez modifier l’annonce et la publier de nouveau.',
        'Vous pouvez faire une réclamation jusqu’au {appealUntilAt, date, long} : connectez-vous et signalez la décision {decisionId}. C’est gratuit, et des personnes en décident. Vous pouvez aussi vous adresser à un organe certifié de règlement extrajudiciaire ou à un tribunal.',
      ],
    },
    confirmNotice: {
      subject: 'Confirmez votre notification à {installation}',
      body: [
        'Avec cette adresse, {installation} a reçu la notification d’un contenu contraire à la loi ou qui ne devrait pas s’y trouver. Elle est examinée dès que vous la confirmez.',
        'Le lien est valable 7 jours et ne sert qu’une fois.',
      ],
      action: 'Confirmer la notification',
      note: [
        'Si vous n’avez rien notifié, ne faites rien : sans confirmation, la notification est supprimée.',
      ],
    },
    noticeReceived: {
      subject: '{installation} a reçu votre notification',
      body: [
        'Votre notification est enregistrée sous le numéro {reportId}. Une personne de notre équipe l’examine et décide ; nous vous écrirons le résultat.',
      ],
    },
    reportDecided: {
      subject: 'Votre signalement à {installation} a été traité',
      body: [
        '{outcome, select, dismissed {Nous avons examiné votre signalement {reportId} et n’y donnons pas suite.} other {Nous avons examiné votre signalement {reportId} et avons agi.}}',
        '{detail}',
        'Une personne de notre équipe l’a décidé, pas un programme. Si vous n’êtes pas d’accord, vous pouvez demander un nouvel examen pendant six mois : connectez-vous et signalez la décision {reportId}. Vous pouvez aussi vous adresser à un organe certifié de règlement extrajudiciaire ou à un tribunal.',
      ],
    },
    appealDecided: {
      subject: 'Votre réclamation à {installation} a été traitée',
      body: [
        '{outcome, select, dismissed {Nous avons réexaminé la décision. Elle est maintenue.} other {Nous avons réexaminé la décision et l’avons changée.}} Le numéro de votre réclamation : {reportId}',
        '{detail}',
        'Une personne de notre équipe l’a décidé, pas un programme. Vous pouvez aussi vous adresser à un organe certifié de règlement extrajudiciaire ou à un tribunal.',
      ],
    },
    listingsExpire: {
      subject:
        '{count, plural, one {Une de vos annonces expire bientôt} other {# de vos annonces expirent bientôt}} sur {installation}',
      body: [
        '{count, plural, one {La durée de {titles}} other {La durée de # de vos annonces ({titles})}} sur {installation} prend fin le {firstAt, date, long}{count, plural, one {} other { ou peu après}}. Ensuite, personne ne {count, plural, one {la} other {les}} verra plus.',
        'Renouvelez ce qui est encore à vendre ; ce qui est vendu peut être marqué comme tel.',
      ],
    },
    savedSearchMatches: {
      subject: '{count, plural, one {Une nouvelle annonce} other {De nouvelles annonces}} pour « {name} »',
      body: [
        'Votre recherche « {name} » sur {installation} a trouvé du nouveau : {newest}{more, plural, =0 {.} one { et une autre annonce.} other { et # autres annonces.}}',
      ],
      action: 'Voir la dernière annonce',
      note: [
        'Vous recevez ce message parce que la recherche est enregistrée avec une alerte. Vous pouvez la désactiver dans vos recherches, ou toutes à la fois dans vos réglages.',
      ],
    },
    messageReceived: {
      subject: 'Nouveau message au sujet de « {title} »',
      body: ['Quelqu’un vous a écrit sur {installation} au sujet de « {title} ».'],
      action: 'Lire le message',
      note: [
        'Tant qu’un message vous attend, aucun autre ne vous est signalé. Vous pouvez désactiver ces messages pour une conversation, ou tous à la fois dans vos réglages.',
      ],
    },
    apiClientCreated: {
      subject: 'Nouvel accès pour un programme chez {tradeName}',
      body: [
        '{createdBy} a créé le client d’API « {name} » pour {tradeName} sur {installation}. Quiconque a son secret peut agir pour {tradeName} dans ses limites.',
        'Si vous ne vous y attendiez pas, supprimez ce client.',
      ],
    },
  },
};
