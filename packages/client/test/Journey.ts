/** Journey of a buyer and a seller, with the operations of the contract. */
export interface Journey {
  signIn(username: string, password: string): Promise<string>;
  createListing(token: string, listing: NewListing): Promise<{ id: string }>;
  publishListing(token: string, listingId: string): Promise<{ state: string }>;
  search(text: string): Promise<{ data: { id: string }[] }>;
  startConversation(
    token: string,
    conversation: { listingId: string; text: string },
  ): Promise<{ id: string; message?: { text: string | null } | null }>;
  analyze(token: string, listingId: string): Promise<{ checks: number; profile: string }>;
  link(token: string, objectId: string, language: string, sourceId: string): Promise<{ members: string[] }>;
  /** Returns the code of the refusal for a missing listing. */
  refusalOf(token: string, listingId: string): Promise<string>;
}

export interface NewListing {
  dealerId: string;
  categoryId: string;
  title: string;
  description: string;
  language: string;
  condition: 'used';
  price: { amount: number; currency: string };
  attributes: Record<string, unknown>;
  location: { postalCode: string; city: string; country: string };
}
