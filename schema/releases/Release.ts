/** The contract at a release: later changes are listed against it. */
export interface Release {
  /** Public name: a version, or a day. */
  readonly name: string;
  /** Time when it was stored, or time of its commit (RFC 3339); null before the release. */
  readonly at: string | null;
  readonly api: string;
  readonly supergraph: string;
  /** OpenAPI document, as JSON text. */
  readonly openApi: string;
}
