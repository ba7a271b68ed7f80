import type { AccountTexts } from './AccountTexts.ts';

export const english: AccountTexts = {
  noScript:
    'This page needs JavaScript. The page itself reads the link from your email and does not share it.',
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters, better 15 or more. All characters are allowed.',
  showPassword: 'Show the password',
  sendLink: 'Send a new link',
  linkSent:
    'If an account needs a link, we have sent it to this address. Check your inbox and your spam folder.',
  confirmEmail: {
    title: 'Confirm your email address',
    intro: 'Confirm that you own the address to which we sent the email.',
    action: 'Confirm the email address',
    done: 'Your email address is confirmed. You can close this page and sign in.',
    askAgain: 'To get a new link, enter the email address of your account.',
  },
  resetPassword: {
    title: 'Set a new password',
    intro: 'Choose a new password. You will be signed out everywhere.',
    action: 'Set the password',
    done: 'Your new password is set. You can close this page and sign in with it.',
    askAgain: 'Enter the email address of your account to get a link for a new password.',
  },
  acceptInvitation: {
    title: 'Accept the invitation',
    intro:
      'Sign in with the account whose email address received the invitation. If you have no account yet, create one, confirm its email address and open the link again.',
    action: 'Sign in and accept',
    code: 'Code of your authenticator app, or a recovery code',
    codeIntro: 'Your account needs a second factor.',
    codeAction: 'Accept',
    done: 'You are now a member. You can close this page. You can act for the dealer wherever you sign in.',
    noLink: 'Open the link in the invitation email.',
  },
  confirmNotice: {
    title: 'Confirm the notice',
    intro: 'Confirm that you submitted the notice. It is reviewed after that.',
    action: 'Confirm the notice',
    done: 'Your notice was received. You can close this page. We will email you the outcome.',
    noLink: 'Open the link in the confirmation email.',
  },
  returned: {
    title: 'Back from the payment provider',
    done: 'Your entries were sent to the payment provider. You can close this page. The outcome is shown where you started.',
  },
  messages: {
    not_found: 'This link has expired. Request a new one.',
    token_consumed: 'This link was already used. Request a new one if you need it.',
    email_taken:
      'Another account now has this email address. Sign in to that account, or choose another address.',
    weak_password:
      'This password is too easy to guess. It is too short, very common, or contains your email address, your name or the name of this site.',
    validation_failed: 'This is not a complete email address.',
    invalid_credentials: 'The email address, password or code is wrong. Please try again.',
    otp_invalid: 'The code is wrong or was already used. Wait for the next one.',
    too_many_attempts: 'Too many attempts. Wait a few minutes, then try again.',
    rate_limited: 'Too many requests. Wait a minute, then try again.',
    email_unverified: 'Confirm the email address of your account first. We sent you the link by email.',
    invitation_for_other_address:
      'The invitation was sent to another email address. Sign in with the account of that address.',
    invitation_expired: 'The invitation has expired. Ask the person who invited you for a new one.',
    already_member: 'You are already a member of this dealer. There is nothing left to do.',
    dealer_not_active: 'The dealer cannot accept members at the moment. Ask the person who invited you.',
    quota_exceeded: 'The dealer has reached its maximum number of members. Ask the person who invited you.',
    account_suspended: 'Your account is suspended. Contact support.',
    account_deletion_scheduled: 'The deletion of your account is scheduled. Cancel the deletion first.',
    offline: 'The server cannot be reached. Check your connection, then try again.',
    unknown: 'Something went wrong. Try again later. If it happens again, contact support.',
  },
  invitationMessages: {
    not_found: 'This invitation no longer exists. It was revoked or replaced by a newer email.',
    token_consumed: 'This invitation was already accepted.',
  },
  noticeMessages: {
    not_found: 'This notice no longer exists, because its link has expired. Submit it again.',
    token_consumed: 'This notice was already confirmed. There is nothing left to do.',
  },
};
