import type { ListAnswers, ListReading, MemberList } from '@gatehouse/member-lists';

/** What all parts of the page about a file need. */
export interface FilePart {
  list: NamedList;
  reading: ListReading;
  answers: ListAnswers;
  answer: (answers: ListAnswers) => void;
}

export interface NamedList extends MemberList {
  readonly name: string;
}
