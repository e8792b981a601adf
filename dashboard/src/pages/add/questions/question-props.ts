import type { ListQuestion, SiteOfList } from '@gatehouse/member-lists';
import type { FilePart } from '../file/file-part.ts';

/** The question of a type, with the parts of the page. */
export type QuestionProps<Type extends ListQuestion['type']> = FilePart & {
  question: Extract<ListQuestion, { type: Type }>;
  site: SiteOfList;
};
