import { type Html, html, joined } from '../../../../site/html.ts';
import type { AccountTexts } from './texts/AccountTexts.ts';

/** A page as a row of steps, of which one is shown; see `site/browser/account.js`. */
interface PageBody {
  readonly title: string;
  readonly steps: readonly Html[];
  /** First step with the token of a mail, and without. */
  readonly withToken: string;
  readonly withoutToken: string;
  readonly messages: Readonly<Record<string, string>>;
}

/** The pages by name. */
export const bodies: Readonly<Record<string, (texts: AccountTexts) => PageBody>> = {
  'confirm-email': confirmEmail,
  'reset-password': resetPassword,
  'accept-invitation': acceptInvitation,
  'confirm-notice': confirmNotice,
  payments: returned,
  'payment-methods': returned,
  payouts: returned,
};

function confirmEmail(texts: AccountTexts): PageBody {
  const { title, intro, action, done, askAgain } = texts.confirmEmail;
  return {
    title,
    withToken: 'confirm',
    withoutToken: 'request',
    messages: texts.messages,
    steps: [
      // A button, although no input is needed, because mail scanners follow links but do not submit forms.
      form({
        step: 'confirm',
        action: '/api/v1/auth/email-verifications/confirm',
        next: 'done',
        otherwise: 'request',
        flags: ['token'],
        fields: [],
        intro,
        button: action,
      }),
      requestForm(texts, '/api/v1/auth/email-verifications', askAgain),
      ending('requested', texts.linkSent),
      ending('done', done),
    ],
  };
}

function resetPassword(texts: AccountTexts): PageBody {
  const { title, intro, action, done, askAgain } = texts.resetPassword;
  const hint = html`<small id="password-hint">${texts.passwordHint}</small>`;
  const reveal = html`<label class="choice"><input type="checkbox" data-reveals="password"> ${texts.showPassword}</label>`;
  return {
    title,
    withToken: 'reset',
    withoutToken: 'request',
    messages: texts.messages,
    steps: [
      form({
        step: 'reset',
        action: '/api/v1/auth/password-resets/confirm',
        next: 'done',
        otherwise: 'request',
        flags: ['token'],
        fields: [
          field(
            'password',
            texts.newPassword,
            html`type="password" autocomplete="new-password" minlength="8" maxlength="256" aria-describedby="password-hint"`,
          ),
          hint,
          reveal,
        ],
        intro,
        button: action,
      }),
      requestForm(texts, '/api/v1/auth/password-resets', askAgain),
      ending('requested', texts.linkSent),
      ending('done', done),
    ],
  };
}

function acceptInvitation(texts: AccountTexts): PageBody {
  const { title, intro, action, done, code, codeIntro, codeAction, noLink } = texts.acceptInvitation;
  const signIn = {
    action: '/api/v1/auth/token',
    next: 'done',
    otherwise: 'ended',
    flags: ['accepts'],
  };
  return {
    title,
    withToken: 'sign-in',
    withoutToken: 'no-link',
    messages: { ...texts.messages, ...texts.invitationMessages },
    steps: [
      form({
        ...signIn,
        step: 'sign-in',
        fields: [
          html`<input type="hidden" name="grant_type" value="password">`,
          field('username', texts.email, html`type="email" autocomplete="username" maxlength="254"`),
          field('password', texts.password, html`type="password" autocomplete="current-password"`),
        ],
        intro,
        button: action,
      }),
      form({
        ...signIn,
        step: 'second',
        fields: [
          html`<input type="hidden" name="grant_type" value="urn:marketplace:mfa-otp">`,
          field('code', code, html`type="text" autocomplete="one-time-code" maxlength="64"`),
        ],
        intro: codeIntro,
        button: codeAction,
      }),
      ending('done', done),
      ending('ended', ''),
      ending('no-link', noLink),
    ],
  };
}

function confirmNotice(texts: AccountTexts): PageBody {
  const { title, intro, action, done, noLink } = texts.confirmNotice;
  return {
    title,
    withToken: 'confirm',
    withoutToken: 'no-link',
    messages: { ...texts.messages, ...texts.noticeMessages },
    steps: [
      form({
        step: 'confirm',
        action: '/api/v1/auth/email-verifications/confirm',
        next: 'done',
        otherwise: 'ended',
        flags: ['token'],
        fields: [],
        intro,
        button: action,
      }),
      ending('done', done),
      ending('ended', ''),
      ending('no-link', noLink),
    ],
  };
}

/** Returns the page to which a payment provider sends the browser back. It shows no outcome, because it has no caller. */
function returned({ returned: { title, done }, messages }: AccountTexts): PageBody {
  return {
    title,
    withToken: 'returned',
    withoutToken: 'returned',
    messages,
    steps: [ending('returned', done)],
  };
}

/** Returns the form for the address to which another link is sent. */
function requestForm(texts: AccountTexts, action: string, intro: string): Html {
  return form({
    step: 'request',
    action,
    next: 'requested',
    flags: [],
    fields: [field('email', texts.email, html`type="email" autocomplete="email" maxlength="254"`)],
    intro,
    button: texts.sendLink,
  });
}

interface FormParts {
  step: string;
  /** Path to which the fields are sent. */
  action: string;
  /** Step after success. */
  next: string;
  /** Step if the link is invalid. */
  otherwise?: string;
  /** `token`: that of the mail is sent along. `accepts`: the answer is a sign-in, with which the mail is accepted. */
  flags: readonly string[];
  fields: readonly Html[];
  intro: string;
  button: string;
}

function form({ step, action, next, otherwise, flags, fields, intro, button }: FormParts): Html {
  return html`<form data-step="${step}" data-action="${action}" data-next="${next}"${
    otherwise === undefined ? '' : html` data-otherwise="${otherwise}"`
  }${joined(
    flags.map((flag) => html` data-${flag}`),
    '',
  )} hidden>
<p>${intro}</p>
${fields}
<button type="submit">${button}</button>
</form>`;
}

function field(name: string, label: string, attributes: Html): Html {
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required>`;
}

function ending(step: string, text: string): Html {
  return html`<div data-step="${step}" hidden><p tabindex="-1" role="status">${text}</p></div>`;
}
