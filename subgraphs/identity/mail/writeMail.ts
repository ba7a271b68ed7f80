import { match } from '@formatjs/intl-localematcher';
import { IntlMessageFormat } from 'intl-messageformat';
import { accountPlaceOf } from '../../platform/installation/accountPlaceOf.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import type { OutgoingMail } from '../../platform/mail/MailTransport.ts';
import { formatMoney } from '../kernel/money/formatMoney.ts';
import type { DeprecatedUse, MailTemplate, MailTemplates } from './MailTemplate.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import type { MailTexts } from './texts/MailTexts.ts';

/** Texts of mails by language tag. */
export const mailLanguages: Readonly<Record<string, MailTexts>> & { readonly en: MailTexts } = {
  en,
  de,
  fr,
  es,
};

/** Pages that links of mails lead to, relative to the installation's `accountUrl`. */
const pages: Readonly<Partial<Record<MailTemplate, string>>> = {
  verifyEmail: 'confirm-email',
  confirmNewEmail: 'confirm-email',
  accountExists: 'reset-password',
  resetPassword: 'reset-password',
  dealerInvitation: 'accept-invitation',
  confirmNotice: 'confirm-notice',
};

/** Recipient and data of a mail. */
interface Occasion<T extends MailTemplate> {
  template: T;
  data: MailTemplates[T];
  /** BCP 47 tag of the reader. */
  locale: string;
  installation: Pick<Installation, 'name' | 'baseUrl' | 'locales' | 'settings'>;
}

/** Writes a mail in the reader's language, or else in the installation's first language, or else in English. */
export function writeMail<T extends MailTemplate>({
  template,
  data,
  locale,
  installation,
}: Occasion<T>): Pick<OutgoingMail, 'language' | 'subject' | 'text' | 'html' | 'link'> {
  const language = chooseLanguage([locale, ...installation.locales.slice(0, 1)]);
  const texts = mailLanguages[language] ?? mailLanguages.en;
  const { subject, body, action, note = [] } = texts.mails[template];
  const values = { ...toValues(data, texts, language), installation: toWords(installation.name) };
  const write = (message: string): string => format(message, language, values);
  const link = linkOf(template, data, installation);
  const greeting = 'displayName' in data ? texts.greeting : texts.plainGreeting;
  const before = [greeting, ...body].map(write).filter((paragraph) => paragraph !== '');
  const after = [...note, texts.closing].map(write);
  const title = write(subject);
  const call = link !== null && action !== undefined ? { link, action, copy: write(texts.copyLink) } : null;
  const text = [...before, ...(call ? [`${call.action}:\n${call.link}`] : []), ...after];
  return {
    language,
    subject: title,
    link,
    text: `${text.join('\n\n')}\n`,
    html: toHtml({ language, title, before, call, after }),
  };
}

function chooseLanguage(wanted: readonly string[]): string {
  const available = Object.keys(mailLanguages);
  // The tags are tried in order: a distant match of the reader's language beats a close match of another language.
  for (const tag of wanted) {
    const found = match([tag], available, '', { algorithm: 'best fit' });
    if (found !== '') return found;
  }
  return 'en';
}

/** Returns the link of a mail. The token is in the fragment, which browsers do not send, so no server logs it. */
function linkOf(
  template: MailTemplate,
  data: MailTemplates[MailTemplate],
  installation: Occasion<MailTemplate>['installation'],
): string | null {
  if ('url' in data) return data.url;
  const page = pages[template];
  if (page === undefined) return null;
  return `${accountPlaceOf(installation)}/${page}${'token' in data ? `#token=${encodeURIComponent(data.token)}` : ''}`;
}

type Values = Readonly<Record<string, string | number | Date>>;

/** Returns the values of the messages. The parts of a link are not part of a text. */
function toValues(data: Readonly<Record<string, string>>, texts: MailTexts, language: string): Values {
  const entries = Object.entries(data).filter(([name]) => name !== 'token' && name !== 'url');
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      toListed(name, text, texts, language) ?? toValue(name, text, texts, language),
    ]),
  );
}

/** Returns the text of a JSON list; undefined for other values. */
function toListed(name: string, text: string, texts: MailTexts, language: string): string | undefined {
  if (name === 'newest') return toTitles(text, texts, language);
  return name === 'parts' ? toParts(text, texts, language) : undefined;
}

function toValue(
  name: string,
  text: string,
  { rejectionReasons, rejectionGrounds }: MailTexts,
  language: string,
): string | number | Date {
  if (name.endsWith('At')) return new Date(text);
  if (name === 'left' || name === 'count' || name === 'more') return Number(text);
  if (name === 'amount') return toMoney(text, language);
  if (name === 'reasons') return toList(text, rejectionReasons);
  if (name === 'grounds') return toList(text, rejectionGrounds);
  return name === 'role' ? text.toLowerCase() : toWords(text);
}

/** Formats quoted titles of listings as a list in a sentence. */
function toTitles(text: string, { quotedTitle }: MailTexts, language: string): string {
  const titles = (JSON.parse(text) as string[]).map((title) =>
    format(quotedTitle, language, { title: toWords(title) }),
  );
  return new Intl.ListFormat(language).format(titles);
}

/** Formats deprecated parts of the API. Their names are those of the schema, so they cannot be misused as links. */
function toParts(text: string, { deprecatedPart }: MailTexts, language: string): string {
  return (JSON.parse(text) as DeprecatedUse[])
    .map(({ part, count, until }) =>
      format(deprecatedPart, language, { part, count, untilAt: new Date(until) }),
    )
    .join('; ');
}

/** Formats minor units and currency, as in `123457 EUR`. */
function toMoney(text: string, language: string): string {
  const [amount = '0', currency = 'EUR'] = text.split(' ');
  return formatMoney({ amount: Number(amount), currency }, language);
}

/** Formats comma-separated codes as a list of texts. */
function toList(codes: string, words: Readonly<Record<string, string>>): string {
  return codes
    .split(', ')
    .map((code) => words[code] ?? code)
    .join('; ');
}

/**
 * Returns user text in one line, so that no mail program turns it into a link. A name such as "Win at evil.example"
 * must not turn the mail into a phishing mail. A zero-width space after the punctuation suffices and is invisible.
 */
function toWords(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.replaceAll(/([.:/@])(?=\S)/g, '$1\u200B');
}

const formats = {
  date: { long: { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } },
} as const;
const compiled = new Map<string, IntlMessageFormat>();

function format(message: string, language: string, values: Values): string {
  const key = `${language} ${message}`;
  let ready = compiled.get(key);
  if (!ready) {
    ready = new IntlMessageFormat(message, language, formats, { ignoreTag: true });
    compiled.set(key, ready);
  }
  return String(ready.format(values));
}

interface Page {
  language: string;
  title: string;
  before: readonly string[];
  call: { link: string; action: string; copy: string } | null;
  after: readonly string[];
}

/** Renders the plain text as HTML, without images, external styles or tracking. */
function toHtml({ language, title, before, call, after }: Page): string {
  const paragraph = (text: string): string => `<p>${escape(text)}</p>`;
  const link = call
    ? [
        `<p><a href="${escape(call.link)}">${escape(call.action)}</a></p>`,
        `<p><small>${escape(call.copy)}<br>${escape(call.link)}</small></p>`,
      ]
    : [];
  const body = [...before.map(paragraph), ...link, ...after.map(paragraph)].join('\n');
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body>
${body}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
