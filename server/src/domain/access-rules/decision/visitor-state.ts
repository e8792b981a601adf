import type { Member } from '@gatehouse/contract';

/** The properties of a logged-in visitor that rules check. */
export interface VisitorState {
  readonly status: Member['status'];
  readonly paid: boolean | null;
  readonly groupIds: ReadonlySet<string> | readonly string[];
}
