/** The user or dealer that a listing or file belongs to. */
export interface OwnerRef {
  type: 'user' | 'dealer';
  /** `usr_…` or `dlr_…`. */
  id: string;
}
