import type { MailTexts } from './MailTexts.ts';
import { english as money } from './money/english.ts';

const notYou = 'If this was not you, set a new password at once and end the sessions you do not know.';

export const english: MailTexts = {
  greeting: 'Hello {displayName},',
  plainGreeting: 'Hello,',
  copyLink: 'If the link cannot be opened, copy this address into your browser:',
  closing: 'This mail was sent by {installation}. Replies are not read.',
  rejectionReasons: {
    document_missing: 'a document is missing',
    document_unreadable: 'a document cannot be read',
    document_expired: 'a document is not good any more',
    identity_mismatch: 'the representative is not the person in the documents',
    registration_not_found: 'the register does not know the business',
    vat_id_invalid: 'the VAT number is not the business’s',
    address_not_proven: 'the address is not proven',
    business_not_allowed: 'this kind of business is not taken on',
    fraud_suspected: 'there are signs of fraud',
    other: 'another reason',
  },
  rejectionGrounds: {
    illegal: 'against the law',
    fraud: 'signs of fraud',
    prohibited: 'nothing that may be offered here',
    miscategorised: 'in the wrong category',
    misleading: 'what it says is not so, or leaves out what matters',
    infringement: 'a right of somebody else is infringed',
    harassment: 'it hurts or threatens people',
    spam: 'it advertises something else, or is of no use to anybody',
    duplicate: 'offered already',
    incomplete: 'texts or pictures do not show what is offered',
    other: 'another reason',
  },
  mails: {
    ...money,
    verifyEmail: {
      subject: 'Confirm your address for {installation}',
      body: [
        'An account at {installation} was created with this address. Confirm that the address is yours; until then the account cannot publish or write to anybody.',
        'The link is good for 24 hours and works once.',
      ],
      action: 'Confirm the address',
      note: [
        'If you did not create an account, do nothing: without a confirmation it is removed after 30 days.',
      ],
    },
    accountExists: {
      subject: 'You have an account at {installation} already',
      body: [
        'Somebody tried to create an account at {installation} with this address, which belongs to your account already. Nothing was changed.',
        'If it was you, sign in as usual. If you no longer know your password, you can set a new one.',
      ],
      action: 'Set a new password',
      note: ['If it was not you, do nothing.'],
    },
    confirmNewEmail: {
      subject: 'Confirm your new address for {installation}',
      body: [
        'This address is to become the address of your account at {installation}. It does so once you confirm it.',
        'The link is good for 24 hours and works once.',
      ],
      action: 'Confirm the new address',
      note: ['If you know nothing of this, do nothing: the account keeps the address it has.'],
    },
    emailChangeRequested: {
      subject: 'Your address at {installation} is to be changed',
      body: [
        'Somebody who is signed in to your account at {installation} wants to change its address to {newEmail}. The change takes effect when it is confirmed from there.',
        notYou,
      ],
    },
    emailChanged: {
      subject: 'Your address at {installation} was changed',
      body: [
        'The address of your account at {installation} is now {newEmail}. Mails to this address end with this one.',
        'If this was not you, write to the support of {installation} at once.',
      ],
    },
    resetPassword: {
      subject: 'Set a new password for {installation}',
      body: [
        'Somebody asked for a new password for your account at {installation}. You can set one with this link.',
        'The link is good for 30 minutes and works once.',
      ],
      action: 'Set a new password',
      note: ['If it was not you, do nothing: your password stays as it is.'],
    },
    passwordChanged: {
      subject: 'Your password at {installation} was changed',
      body: [
        'The password of your account at {installation} was changed, and other sessions were ended.',
        notYou,
      ],
    },
    sessionEndedByReuse: {
      subject: 'A session at {installation} was ended',
      body: [
        'The key of one of your sessions at {installation} was used a second time, as happens when it has been copied. The session was ended; sign in again to go on.',
        'If you cannot explain it, set a new password and look through your sessions.',
      ],
    },
    identityLinked: {
      subject: 'Another way to sign in was added at {installation}',
      body: ['“{label}” was added to your account at {installation} as another way to sign in.', notYou],
    },
    mfaFactorAdded: {
      subject: 'A second factor was added at {installation}',
      body: [
        'The second factor “{label}” was added to your account at {installation}. It is asked for at every sign-in from now on.',
        notYou,
      ],
    },
    mfaFactorRemoved: {
      subject: 'A second factor was removed at {installation}',
      body: [
        'The second factor “{label}” was removed from your account at {installation}, and other sessions were ended.',
        notYou,
      ],
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used at {installation}',
      body: [
        'Somebody signed in to your account at {installation} with a recovery code. {left, plural, =0 {None is left: make new ones.} one {One is left.} other {# are left.}}',
        notYou,
      ],
    },
    accountSuspended: {
      subject: 'Your account at {installation} was suspended',
      body: [
        'Your account at {installation} was suspended. The reason given: {detail}',
        'You can still sign in to read your data, to export it and to delete the account.',
      ],
    },
    accountReinstated: {
      subject: 'Your account at {installation} is open again',
      body: ['Your account at {installation} can be used again without restriction.'],
    },
    accountDeletionScheduled: {
      subject: 'Your account at {installation} will be deleted',
      body: [
        'The deletion of your account at {installation} was requested. On {effectiveAt, date, long} it and everything personal in it will be erased for good.',
        'Until then you can sign in and cancel the deletion.',
        notYou,
      ],
    },
    accountDeletionCanceled: {
      subject: 'Your account at {installation} stays',
      body: ['The deletion of your account at {installation} was cancelled. Nothing has been lost.', notYou],
    },
    dataExportReady: {
      subject: 'Your data export from {installation} is ready',
      body: [
        'The export of your data at {installation} is ready. Sign in to download it, until {expiresAt, date, long}.',
        notYou,
      ],
    },
    dealerInvitation: {
      subject: 'Join {tradeName} at {installation}',
      body: [
        '{invitedBy} invites you to join {tradeName} at {installation} as {role, select, owner {an owner} manager {a manager} other {an agent}}.',
        'Sign in with the account that has this address, or create one first. The link is good for 7 days and works once.',
      ],
      action: 'Look at the invitation',
      note: ['If you do not know the sender, do nothing.'],
    },
    dealerApproved: {
      subject: '{tradeName} was approved at {installation}',
      body: [
        'The details of {tradeName} were checked and approved. It can publish at {installation} from now on.',
      ],
    },
    dealerRejected: {
      subject: 'The details of {tradeName} need changes',
      body: [
        'The details of {tradeName} at {installation} could not be approved. Reasons: {reasons}',
        '{detail}',
        '{final, select, true {This decision is final.} other {You can correct the details and submit them again.}}',
      ],
    },
    dealerVerificationExpired: {
      subject: 'The verification of {tradeName} has expired',
      body: [
        'The verification of {tradeName} at {installation} is no longer in force: 24 months are over, or a document has run out.',
        'State the details again and submit them.',
      ],
    },
    dealerSuspended: {
      subject: '{tradeName} was suspended at {installation}',
      body: [
        '{tradeName} was suspended at {installation}. The reason given: {detail}',
        'Its listings are hidden; its members can still read everything.',
      ],
    },
    dealerReinstated: {
      subject: '{tradeName} is open again at {installation}',
      body: ['The suspension of {tradeName} at {installation} was lifted. Its listings are visible again.'],
    },
    listingApproved: {
      subject: '“{title}” was approved at {installation}',
      body: ['Your listing “{title}” at {installation} was looked at and approved.'],
    },
    listingRejected: {
      subject: 'Decision about “{title}” at {installation}',
      body: [
        '{kind, select, revision {The change of your listing “{title}” at {installation} was declined. What was shown before stays.} other {Your listing “{title}” is not shown at {installation} any more, to nobody and until it is approved again.}}',
        'Reasons: {grounds}',
        '{detail}',
        'A member of our staff decided this, no program. You can change the listing and publish it again.',
        'You can appeal until {appealUntilAt, date, long}: sign in and report the decision {decisionId}. It is free, and people decide about it. You may also turn to a certified body for out-of-court settlement, or to a court.',
      ],
    },
    confirmNotice: {
      subject: 'Confirm your notice to {installation}',
      body: [
        'With this address {installation} was notified of something that is against the law, or should not be there. The notice is looked at once you confirm it.',
        'The link is good for 7 days and works once.',
      ],
      action: 'Confirm the notice',
      note: ['If you gave no notice, do nothing: without a confirmation it is removed.'],
    },
    noticeReceived: {
      subject: '{installation} has received your notice',
      body: [
        'Your notice was received under the number {reportId}. A member of our staff looks at it and decides; we will write to you about the outcome.',
      ],
    },
    reportDecided: {
      subject: 'Your report to {installation} was decided',
      body: [
        '{outcome, select, dismissed {We have looked at your report {reportId} and do nothing about it.} other {We have looked at your report {reportId} and have acted on it.}}',
        '{detail}',
        'A member of our staff decided this, no program. If you do not agree, you can ask for another look for six months: sign in and report the decision {reportId}. You may also turn to a certified body for out-of-court settlement, or to a court.',
      ],
    },
    appealDecided: {
      subject: 'Your appeal at {installation} was decided',
      body: [
        '{outcome, select, dismissed {We have looked at the decision again. It stands.} other {We have looked at the decision again, and have changed it.}} The number of your appeal: {reportId}',
        '{detail}',
        'A member of our staff decided this, no program. You may also turn to a certified body for out-of-court settlement, or to a court.',
      ],
    },
    listingsExpire: {
      subject:
        '{count, plural, one {A listing of yours expires soon} other {# of your listings expire soon}} at {installation}',
      body: [
        'The time of {count, plural, one {{titles}} other {# of your listings ({titles})}} at {installation} ends on {firstAt, date, long}{count, plural, one {} other { or soon after}}. From then on nobody sees {count, plural, one {it} other {them}} any more.',
        'Renew what is still for sale; what is sold can be marked as sold.',
      ],
    },
    savedSearchMatches: {
      subject: '{count, plural, one {A new listing} other {New listings}} for “{name}”',
      body: [
        'Your search “{name}” at {installation} has found something new: {newest}{more, plural, =0 {.} one {, and one more.} other {, and # more.}}',
      ],
      action: 'Look at the newest listing',
      note: [
        'You get this mail because the search is kept with an alert. You can turn it off where your searches are kept, or all of them in your settings.',
      ],
    },
    messageReceived: {
      subject: 'New message about “{title}”',
      body: ['Somebody wrote to you at {installation} about “{title}”.'],
      action: 'Read the message',
      note: [
        'While a message waits for you, you are not told of further ones. You can turn these mails off for a conversation, or all of them in your settings.',
      ],
    },
    apiClientCreated: {
      subject: 'New access for a program at {tradeName}',
      body: [
        '{createdBy} created the API client “{name}” for {tradeName} at {installation}. Whoever has its secret can act for {tradeName} within its scopes.',
        'If you did not expect this, delete the client.',
      ],
    },
  },
};
