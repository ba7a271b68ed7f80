/** Settings of the catalogue search of the deployment. */
export interface CatalogSettings {
  /** `embedded` searches in the memory of each process. */
  readonly engine: 'embedded' | 'opensearch';
  /** Set with the engine `opensearch`. */
  readonly openSearch?: OpenSearchSettings | undefined;
}

/** Cluster of OpenSearch, and the indexes of this deployment in it. */
export interface OpenSearchSettings {
  /** Addresses of its nodes; they may contain a user name and a password. */
  readonly nodes: readonly string[];
  /** Alias of the index that is searched, and first part of the names of all indexes of this deployment. */
  readonly alias: string;
}
