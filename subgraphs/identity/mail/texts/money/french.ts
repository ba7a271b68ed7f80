import type { MoneyTexts } from '../MailTexts.ts';

const settings = 'Vous pouvez désactiver les messages sur les paiements dans vos réglages.';

export const french: MoneyTexts = {
  paymentReceipt: {
    subject: 'Votre paiement pour « {title} » : reçu {receiptNumber}',
    body: [
      '{purpose, select, deposit {Votre acompte de {amount} pour « {title} » sur {installation} a été versé. L’annonce vous est réservée.} promotion {La mise en avant de « {title} » sur {installation} a été payée : {amount}.} other {Votre paiement de {amount} pour « {title} » sur {installation} a été effectué.}}',
      'Le numéro du reçu est {receiptNumber}.',
    ],
    note: [settings],
  },
  paymentReceived: {
    subject: 'Un paiement pour « {title} » est arrivé',
    body: [
      '{purpose, select, deposit {Un acompte de {amount} a été versé pour « {title} » sur {installation}. L’annonce est réservée à la personne qui achète.} other {{amount} ont été payés pour « {title} » sur {installation}.}}',
    ],
    note: [settings],
  },
  paymentAuthorized: {
    subject: 'Un paiement pour « {title} » vous attend',
    body: [
      '{amount} sont réservés pour « {title} » sur {installation}. Encaissez cette somme jusqu’au {untilAt, date, long} ou libérez-la : ensuite, la réservation prend fin.',
    ],
    note: [settings],
  },
  paymentExpires: {
    subject: 'Le paiement pour « {title} » expire bientôt',
    body: [
      'Les {amount} réservés pour « {title} » sur {installation} peuvent être encaissés jusqu’au {untilAt, date, long}. Sans cela, le paiement prend fin, et la réservation avec lui.',
    ],
    note: [settings],
  },
  paymentFailed: {
    subject: 'Votre paiement pour « {title} » n’a pas abouti',
    body: [
      'Votre banque n’a pas exécuté le paiement de {amount} pour « {title} » sur {installation}. Rien n’a été débité. Vous pouvez payer de nouveau, aussi par un autre moyen.',
    ],
    note: [settings],
  },
  paymentReleased: {
    subject: 'Rien n’a été débité pour « {title} »',
    body: [
      '{taken, select, true {Quelqu’un d’autre a été plus rapide pour « {title} » sur {installation}. Les {amount} que vous vouliez payer n’ont pas été débités.} other {Votre paiement de {amount} pour « {title} » sur {installation} a pris fin avant tout débit.}}',
      'Si votre banque affiche la somme comme réservée, elle la libère en quelques jours.',
    ],
    note: [settings],
  },
  refundSent: {
    subject: 'Remboursement pour « {title} »',
    body: [
      'Sur votre paiement pour « {title} » sur {installation}, {amount} vous sont rendus, par le moyen avec lequel vous avez payé. Les banques mettent quelques jours.',
    ],
    note: [settings],
  },
  disputeOpened: {
    subject: 'Le paiement pour « {title} » est contesté',
    body: [
      'Le paiement pour « {title} » sur {installation} est contesté. {amount} de votre solde sont retenus jusqu’à la décision.',
      'Donnez votre point de vue, avec ce qui le prouve, jusqu’au {respondByAt, date, long}. Ensuite, la décision se prend sur ce qui est là.',
    ],
    note: [settings],
  },
  disputeDecided: {
    subject: 'Le litige au sujet de « {title} » est tranché',
    body: [
      '{outcome, select, won {Le litige sur {amount} pour « {title} » sur {installation} a été tranché en faveur du vendeur : rien n’est rendu.} lost {Le litige sur {amount} pour « {title} » sur {installation} a été tranché en faveur de la personne qui a acheté : la somme est rendue.} split {Le litige sur {amount} pour « {title} » sur {installation} a été partagé : une partie de la somme est rendue.} other {Le litige sur {amount} pour « {title} » sur {installation} a été retiré.}}',
      'Connectez-vous pour lire les motifs.',
    ],
    note: [settings],
  },
  payoutSent: {
    subject: '{amount} sont en route vers {tradeName}',
    body: [
      'Le solde de {tradeName} sur {installation} est versé : {amount} sont en route vers le compte bancaire. Cela prend quelques jours.',
    ],
    note: [settings],
  },
  payoutFailed: {
    subject: 'Un versement à {tradeName} a échoué',
    body: [
      'La banque n’a pas accepté le versement de {amount} à {tradeName} sur {installation}. L’argent vous est gardé. Vérifiez vos coordonnées bancaires auprès du prestataire de paiement ; avec d’autres, on essaie de nouveau, et après sept jours la somme revient à votre solde.',
    ],
    note: [settings],
  },
};
