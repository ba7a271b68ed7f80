import { createHash } from 'node:crypto';

/** Version of the texts below. A change of their meaning needs a new version, and every acknowledgement expires. */
export const policyVersion = '2026-11-22';

/** Data that a request to a provider may contain after redaction. */
export const dataCategories = ['title', 'body_excerpt', 'keyphrase', 'product_attributes'] as const;

const texts = {
  en: `AI suggestions send parts of a text to the provider {host}: its title, up to 6,000 characters of its body, its
keyphrase and the public attributes of the vehicle. Before that, e-mail addresses, phone numbers, bank and card
numbers, vehicle identification numbers, licence plates, network addresses, access keys, coordinates, street
addresses and known names of people are replaced. Redaction recognises patterns and can miss something: write nothing
into a text that must not leave. The provider processes the data under its own terms, possibly in another country.
Messages, payments, accounts and drafts of others are never sent. Nothing is published by itself. A preview shows
exactly what would be sent. The acknowledgement can be revoked at any time.`,
  de: `KI-Vorschläge senden Teile eines Textes an den Anbieter {host}: den Titel, bis zu 6.000 Zeichen des Inhalts, die
Keyphrase und die öffentlichen Merkmale des Fahrzeugs. Vorher werden E-Mail-Adressen, Telefonnummern, Konto- und
Kartennummern, Fahrzeug-Identifizierungsnummern, Kennzeichen, Netzwerkadressen, Zugangsschlüssel, Koordinaten,
Anschriften und bekannte Namen von Personen ersetzt. Die Schwärzung erkennt Muster und kann etwas übersehen: Schreiben
Sie nichts in einen Text, was das Haus nicht verlassen darf. Der Anbieter verarbeitet die Daten nach seinen eigenen
Bedingungen, möglicherweise in einem anderen Land. Nachrichten, Zahlungen, Konten und Entwürfe anderer werden nie
gesendet. Nichts wird von selbst veröffentlicht. Eine Vorschau zeigt genau, was gesendet würde. Die Bestätigung kann
jederzeit widerrufen werden.`,
} as const;

/** Languages that the policy is written in. */
export const policyLocales = Object.keys(texts);

/** The policy shown for a provider. */
export interface PolicyText {
  readonly version: string;
  readonly locale: string;
  readonly text: string;
  /** `sha256:` and the hash of the text. */
  readonly hash: string;
}

/**
 * Returns the policy in a language, or in English if it is not translated.
 *
 * @param host of the provider, which is part of the acknowledgement
 */
export function privacyPolicy(locale: string, host: string | null): PolicyText {
  const language = new Intl.Locale(locale).language;
  const known = Object.hasOwn(texts, language) ? (language as keyof typeof texts) : 'en';
  const text = texts[known].replaceAll('\n', ' ').replace('{host}', host ?? '–');
  return {
    version: policyVersion,
    locale: known,
    text,
    hash: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  };
}
