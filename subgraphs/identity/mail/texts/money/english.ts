import type { MoneyTexts } from '../MailTexts.ts';

const settings = 'You can turn mails about payments off in your settings.';

export const english: MoneyTexts = {
  paymentReceipt: {
    subject: 'Your payment for “{title}”: receipt {receiptNumber}',
    body: [
      '{purpose, select, deposit {Your deposit of {amount} for “{title}” at {installation} has been paid. It is reserved for you.} promotion {The promotion of “{title}” at {installation} has been paid: {amount}.} other {Your payment of {amount} for “{title}” at {installation} has been made.}}',
      'The number of the receipt is {receiptNumber}.',
    ],
    note: [settings],
  },
  paymentReceived: {
    subject: 'A payment for “{title}” has come',
    body: [
      '{purpose, select, deposit {A deposit of {amount} has been paid for “{title}” at {installation}. It is reserved for the buyer.} other {{amount} has been paid for “{title}” at {installation}.}}',
    ],
    note: [settings],
  },
  paymentAuthorized: {
    subject: 'A payment for “{title}” waits for you',
    body: [
      'A buyer has had {amount} set aside for “{title}” at {installation}. Take the money by {untilAt, date, long}, or let it go: after that day it is the buyer’s again, and so is the choice.',
    ],
    note: [settings],
  },
  paymentExpires: {
    subject: 'The payment for “{title}” ends soon',
    body: [
      'The {amount} that a buyer has had set aside for “{title}” at {installation} can be taken until {untilAt, date, long}. If nobody does, the payment ends, and the reservation with it.',
    ],
    note: [settings],
  },
  paymentFailed: {
    subject: 'Your payment for “{title}” came to nothing',
    body: [
      'Your bank has not carried out the payment of {amount} for “{title}” at {installation}. Nothing was taken. You can pay again, also with another method.',
    ],
    note: [settings],
  },
  paymentReleased: {
    subject: 'Nothing was taken for “{title}”',
    body: [
      '{taken, select, true {Somebody else was faster with “{title}” at {installation}. The {amount} that you wanted to pay were not taken.} other {Your payment of {amount} for “{title}” at {installation} was ended before anything was taken.}}',
      'Should your bank show the amount as set aside, it lets it go within a few days.',
    ],
    note: [settings],
  },
  refundSent: {
    subject: 'Money back for “{title}”',
    body: [
      'Of your payment for “{title}” at {installation} you get {amount} back, on the way on which you have paid. Banks take a few days for that.',
    ],
    note: [settings],
  },
  disputeOpened: {
    subject: 'A buyer disputes the payment for “{title}”',
    body: [
      'A buyer has disputed the payment for “{title}” at {installation}. {amount} of your balance are kept back until it is decided.',
      'Say by {respondByAt, date, long} how you see it, and add what proves it. After that it is decided by what is there.',
    ],
    note: [settings],
  },
  disputeDecided: {
    subject: 'The dispute about “{title}” is decided',
    body: [
      '{outcome, select, won {The dispute about {amount} for “{title}” at {installation} was decided for the dealer: nothing goes back.} lost {The dispute about {amount} for “{title}” at {installation} was decided for the buyer: the amount goes back.} split {The dispute about {amount} for “{title}” at {installation} was split: a part of the amount goes back.} other {The buyer has withdrawn the dispute about {amount} for “{title}” at {installation}.}}',
      'Sign in to read the reasons.',
    ],
    note: [settings],
  },
  payoutSent: {
    subject: '{amount} are on the way to {tradeName}',
    body: [
      'The balance of {tradeName} at {installation} is being paid out: {amount} are on the way to the bank account. This takes a few days.',
    ],
    note: [settings],
  },
  payoutFailed: {
    subject: 'A payout to {tradeName} has failed',
    body: [
      'The bank has not taken the payout of {amount} to {tradeName} at {installation}. The money is kept for you. Check your bank details with the payment provider; with other ones it is tried again, and after seven days it is part of your balance again.',
    ],
    note: [settings],
  },
};
