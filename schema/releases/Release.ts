/** The contract at a release: later changes are listed against it. */
export interface Release {
  /** As its clients know it: a version, or a day. */
  readonly name: string;
  /** When it was kept, or when its commit was made (RFC 3339); null for what is not released yet. */
  readonly at: string | null;
  readonly api: string;
  readonly supergraph: string;
  /** OpenAPI document, as JSON text. */
  readonly openApi: string;
}
