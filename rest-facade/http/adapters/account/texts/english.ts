import type { AccountTexts } from './AccountTexts.ts';

export const english: AccountTexts = {
  noScript:
    'This page needs JavaScript: the link of your mail is read by the page itself and is sent to nobody else.',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters, better 15 or more. Any characters are good.',
  showPassword: 'Show the password',
  sendLink: 'Send a new link',
  linkSent:
    'If this address can use a link, one is on its way. Look into your mailbox, also among the unwanted mails.',
  confirmEmail: {
    title: 'Confirm your address',
    intro: 'Confirm that the address to which the mail was sent is yours.',
    action: 'Confirm the address',
    done: 'The address is confirmed. You can close this page and sign in.',
    askAgain: 'To get a new link, enter the address of your account.',
  },
  resetPassword: {
    title: 'Set a new password',
    intro: 'Choose a new password. You will be signed out everywhere.',
    action: 'Set the password',
    done: 'The new password is set. You can close this page and sign in with it.',
    askAgain: 'Enter the address of your account to get a link that sets a new password.',
  },
  acceptInvitation: {
    title: 'Accept the invitation',
    intro:
      'Sign in with the account that has the address to which the invitation was sent. If you have none yet, create it first and confirm its address, then open the link again.',
    action: 'Sign in and accept',
    code: 'Code of your authenticator, or a recovery code',
    codeIntro: 'Your account asks for a second factor.',
    codeAction: 'Accept',
    done: 'You are a member now. You can close this page; wherever you sign in, you act for the dealer.',
    noLink: 'Open the link in the mail that brought you the invitation.',
  },
  confirmNotice: {
    title: 'Confirm the notice',
    intro: 'Confirm that you gave notice. The staff looks at it from then on.',
    action: 'Confirm the notice',
    done: 'The notice was received. You can close this page; the outcome comes by mail.',
    noLink: 'Open the link in the mail that asked for the confirmation.',
  },
  messages: {
    not_found: 'This link is not good any more. Ask for a new one.',
    token_consumed: 'This link was used already. If you need another one, ask for it.',
    email_taken: 'Another account has this address by now. Sign in with that one, or choose another address.',
    weak_password:
      'This password is too easy to guess: it is too short, very common, or holds your address, your name or the name of this site.',
    validation_failed: 'This is not a complete e-mail address.',
    invalid_credentials: 'Address, password or code are wrong. Please try again.',
    otp_invalid: 'The code is wrong or was used already. Wait for the next one.',
    too_many_attempts: 'Too many attempts. Wait some minutes, then try again.',
    rate_limited: 'Too many requests. Wait a minute, then try again.',
    email_unverified: 'Confirm the address of your account first: the link was sent to you by mail.',
    invitation_for_other_address:
      'The invitation was sent to another address. Sign in with the account that has it.',
    invitation_expired: 'The invitation has expired. Ask whoever invited you for a new one.',
    already_member: 'You are a member of this dealer already. There is nothing left to do.',
    dealer_not_active: 'The dealer cannot take members at the moment. Ask whoever invited you.',
    quota_exceeded: 'The dealer has as many members as it may have. Ask whoever invited you.',
    account_suspended: 'Your account is suspended. Write to the support.',
    account_deletion_scheduled: 'Your account is about to be deleted. Cancel the deletion first.',
    offline: 'The server cannot be reached. Check your connection, then try again.',
    unknown: 'This did not work. Try again later; if it goes on, write to the support.',
  },
  invitationMessages: {
    not_found: 'This invitation does not exist any more: it was withdrawn, or replaced by a newer mail.',
    token_consumed: 'This invitation was accepted already.',
  },
  noticeMessages: {
    not_found: 'This notice does not exist any more: its link has expired. Give notice again.',
    token_consumed: 'This notice was confirmed already. There is nothing left to do.',
  },
};
