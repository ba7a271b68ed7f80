import { IntlMessageFormat } from 'intl-messageformat';
import { defaultSettings } from '../../platform/installation/Installation.ts';
import type { MailTemplate, MailTemplates } from './MailTemplate.ts';
import type { MailText } from './texts/MailTexts.ts';
import { mailLanguages, writeMail } from './writeMail.ts';

const token = 'a-token_of-43-characters';
const someone = { displayName: 'Zoë <b>Müller</b>' };
const dealer = { tradeName: 'Müller & Söhne' };
const sale = { ...someone, title: 'Volvo 145', amount: '123457 EUR' };
const at = '2026-12-31T23:30:00.000Z';

/** Data for every template. */
const samples: MailTemplates = {
  verifyEmail: { ...someone, token },
  accountExists: someone,
  confirmNewEmail: { ...someone, token },
  emailChangeRequested: { ...someone, newEmail: 'n…@example.org' },
  emailChanged: { ...someone, newEmail: 'n…@example.org' },
  resetPassword: { ...someone, token },
  passwordChanged: someone,
  sessionEndedByReuse: someone,
  identityLinked: { ...someone, label: 'Company login' },
  mfaFactorAdded: { ...someone, label: 'Phone' },
  mfaFactorRemoved: { ...someone, label: 'Phone' },
  recoveryCodeUsed: { ...someone, left: '3' },
  accountSuspended: { ...someone, detail: 'Fraud' },
  accountReinstated: someone,
  accountDeletionScheduled: { ...someone, effectiveAt: at },
  accountDeletionCanceled: someone,
  dataExportReady: { ...someone, expiresAt: at },
  dealerInvitation: { ...dealer, invitedBy: 'Zoë', role: 'MANAGER', token },
  dealerApproved: dealer,
  dealerRejected: {
    ...dealer,
    reasons: 'document_unreadable, other',
    detail: 'Page 2',
    final: 'false',
  },
  dealerVerificationExpired: dealer,
  dealerSuspended: { ...dealer, detail: 'Fraud' },
  dealerReinstated: dealer,
  listingApproved: { title: 'Saab 900' },
  listingRejected: {
    title: 'Saab 900',
    kind: 'listing',
    grounds: 'fraud, other',
    detail: 'The pictures are those of another car.',
    decisionId: 'dec_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    appealUntilAt: at,
  },
  confirmNotice: { token },
  noticeReceived: { reportId: 'rep_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
  reportDecided: {
    reportId: 'rep_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    outcome: 'dismissed',
    detail: 'It is allowed.',
  },
  appealDecided: { reportId: 'rep_01ARZ3NDEKTSV4RRFFQ69G5FAV', outcome: 'action_taken', detail: '' },
  listingsExpire: { ...someone, count: '2', titles: 'Skoda, Seat', firstAt: at },
  savedSearchMatches: {
    ...someone,
    name: 'Volvos',
    count: '7',
    newest: JSON.stringify(['Volvo 145', 'Volvo PV544']),
    more: '5',
    url: 'http://demo.localhost:4000/listings/volvo-145',
  },
  messageReceived: {
    ...someone,
    title: 'Volvo 145',
    url: 'http://demo.localhost:4000/conversations/cnv_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  },
  paymentReceipt: { ...sale, purpose: 'deposit', receiptNumber: '2026-000001' },
  paymentReceived: { ...sale, purpose: 'purchase' },
  paymentAuthorized: { ...sale, untilAt: at },
  paymentExpires: { ...sale, untilAt: at },
  paymentFailed: sale,
  paymentReleased: { ...sale, taken: 'true' },
  transferEnded: sale,
  transferReturned: { ...sale, taken: 'false' },
  refundSent: sale,
  paymentChargedBack: sale,
  chargebackReturned: sale,
  disputeOpened: { ...sale, respondByAt: at },
  disputeDecided: { ...sale, outcome: 'split' },
  payoutSent: { ...someone, ...dealer, amount: sale.amount },
  payoutFailed: { ...someone, ...dealer, amount: sale.amount },
  apiClientCreated: { ...dealer, name: 'Stock', createdBy: 'Zoë' },
  deprecatedUse: {
    ...dealer,
    name: 'Stock',
    parts: JSON.stringify([{ part: 'Listing.title', count: 12, until: '2027-05-31' }]),
    more: '1',
    url: 'http://demo.localhost:4000/docs/changelog#deprecations',
  },
};
const templates = Object.keys(samples) as MailTemplate[];
const languages = Object.keys(mailLanguages);

const installation = {
  name: 'Demo',
  baseUrl: 'http://demo.localhost:4000',
  locales: ['en', 'de'],
  settings: defaultSettings,
};

const write = (template: MailTemplate, locale: string, changes: object = {}, site = installation) =>
  writeMail({ template, data: { ...samples[template], ...changes }, locale, installation: site });

/** The placeholders of a message, with the branches of its choices. */
function* namesIn(message: string): Generator<string> {
  const walk = function* (nodes: readonly any[]): Generator<string> {
    for (const { type, value, options = {}, children = [] } of nodes) {
      // Everything but literal text and the number sign of a plural.
      if (type !== 0 && type !== 7) yield `${value} ${type} ${Object.keys(options).sort().join()}`;
      for (const option of Object.values<any>(options)) yield* walk(option.value);
      yield* walk(children);
    }
  };
  yield* walk(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst());
}

const messagesOf = ({ subject, body, action = '', note = [] }: MailText): string[] => [
  subject,
  ...body,
  action,
  ...note,
];
const placeholdersOf = (text: MailText): string[] =>
  [...new Set(messagesOf(text).flatMap((message) => [...namesIn(message)]))].sort();

test.each(templates)('the mail %s has the same placeholders in every language', (template) => {
  const english = mailLanguages.en.mails[template];
  if (!english) throw new Error('There is no English text.');
  const known = [...Object.keys(samples[template]).filter((name) => name !== 'token'), 'installation'];
  for (const placeholder of placeholdersOf(english)) expect(known).toContain(placeholder.split(' ')[0]);
  for (const language of languages) {
    const text = mailLanguages[language]?.mails[template];
    if (!text) throw new Error(`There is no text in ${language}.`);
    expect(placeholdersOf(text)).toEqual(placeholdersOf(english));
    expect([text.body.length, text.note?.length, 'action' in text]).toEqual([
      english.body.length,
      english.note?.length,
      'action' in english,
    ]);
    // The subjects have the same placeholders in every language.
    expect([...namesIn(text.subject)].sort()).toEqual([...namesIn(english.subject)].sort());
  }
});

test('the subjects of a mail differ between languages', () => {
  for (const template of templates) {
    const subjects = languages.map((language) => mailLanguages[language]?.mails[template].subject);
    expect(new Set(subjects).size).toBe(languages.length);
  }
});

describe.each(languages)('in %s', (language) => {
  test.each(templates)('the mail %s is complete and escaped, with at most one link', (template) => {
    const { language: written, subject, text, html, link } = write(template, language);
    expect(written).toBe(language);
    expect(`${subject}${text}`).not.toMatch(/[{}]|undefined|NaN|Invalid Date/);
    expect(html).not.toMatch(/<b>|& |undefined/);
    expect(html).toContain(`<html lang="${language}">`);
    const hasToken = 'token' in samples[template];
    expect(text.match(/https?:/g)?.length ?? 0).toBe(link === null ? 0 : 1);
    expect(html.match(/<a /g)?.length ?? 0).toBe(link === null ? 0 : 1);
    expect(link?.includes(token) ?? false).toBe(hasToken);
    if (link !== null) expect([text.includes(link), html.includes(`href="${link}"`)]).toEqual([true, true]);
  });
});

test('the token of a link is in its fragment, which is not sent to a server', () => {
  const pages = { verifyEmail: 'confirm-email', confirmNewEmail: 'confirm-email' } as const;
  for (const [template, page] of Object.entries(pages)) {
    const link = new URL(write(template as MailTemplate, 'en').link ?? '');
    expect(`${link.origin}${link.pathname}`).toBe(`http://demo.localhost:4000/account/${page}`);
    expect([link.hash, link.search]).toEqual([`#token=${token}`, '']);
  }
  expect(write('resetPassword', 'en').link).toMatch(/\/account\/reset-password#token=/);
  expect(write('dealerInvitation', 'en').link).toMatch(/\/account\/accept-invitation#token=/);
  expect(write('accountExists', 'en').link).toBe('http://demo.localhost:4000/account/reset-password');
});

test('links of mails have the account address of the installation', () => {
  const settings = { ...defaultSettings, accountUrl: 'https://shop.example/konto/' };
  const { link } = write('resetPassword', 'en', {}, { ...installation, settings });
  expect(link).toBe(`https://shop.example/konto/reset-password#token=${token}`);
});

test.each([
  ['de', ['en'], 'de'],
  ['de-AT', ['en'], 'de'],
  ['fr-CA', ['en'], 'fr'],
  ['es-419', ['en'], 'es'],
  ['ja', ['de', 'en'], 'de'],
  ['ja', ['ja', 'de'], 'en'],
  ['zxx', ['fr'], 'fr'],
])(
  'a reader with the locale "%s" in an installation with %s receives a mail in %s',
  (locale, locales, language) => {
    expect(write('passwordChanged', locale, {}, { ...installation, locales }).language).toBe(language);
  },
);

test('a name adds no link, line or markup to a mail', () => {
  const displayName =
    'Win at https://evil.example/x\r\n\r\nOr write to a@evil.example <a href="//evil.example">';
  const { text, html, subject } = write('verifyEmail', 'en', { displayName });
  expect(text).not.toMatch(/evil\.example|https:\/|@evil|\r/);
  expect(html).not.toMatch(/evil\.example|<a href="\/\/|https:\//);
  expect(text.split('\n')[0]?.replaceAll('\u200B', '')).toBe(
    'Hello Win at https://evil.example/x Or write to a@evil.example <a href="//evil.example">,',
  );
  expect(subject).not.toContain('\n');
});

test('dates and numbers in mails are formatted for the language', () => {
  expect(write('dataExportReady', 'de').text).toContain('31. Dezember 2026');
  expect(write('dataExportReady', 'en').text).toContain('December 31, 2026');
  expect(write('recoveryCodeUsed', 'fr', { left: '1' }).text).toContain('Il en reste un.');
  expect(write('recoveryCodeUsed', 'es', { left: '0' }).text).toContain('No queda ninguno');
  expect(write('dealerInvitation', 'en', { role: 'agent' }).text).toContain('as an agent');
});

test('amounts in mails are formatted for the language', () => {
  const plain = (language: string) => write('refundSent', language).text.replaceAll('\u00A0', ' ');
  expect(plain('en')).toContain('€1,234.57');
  expect(plain('de')).toContain('1.234,57 €');
});

test('the mail of a rejected dealer states the reasons and whether the decision is final', () => {
  const { text } = write('dealerRejected', 'de');
  expect(text).toContain('Gründe: ein Dokument ist nicht lesbar; ein anderer Grund');
  expect(text).toContain('erneut einreichen');
  expect(write('dealerRejected', 'de', { final: 'true' }).text).toContain(
    'Diese Entscheidung ist endgültig.',
  );
});

test('a mail with an empty detail has no empty paragraph', () => {
  expect(write('dealerRejected', 'en', { detail: '' }).text).not.toMatch(/\n\n\n/);
});

test.each([
  ['de', '„Volvo 145“ und „Volvo PV544“'],
  ['en', '“Volvo 145” and “Volvo PV544”'],
  ['es', '«Volvo 145» y «Volvo PV544»'],
  ['fr', '«\u00A0Volvo 145\u00A0» et «\u00A0Volvo PV544\u00A0»'],
])('the titles in a search alert are quoted in the style of the language %s', (language, titles) => {
  expect(write('savedSearchMatches', language).text).toContain(titles);
});
