import { Notice } from '../../components/feedback/notice.tsx';
import { IconEye } from '../../components/icons/icons.ts';
import { Contact } from '../../components/people/contact.tsx';

/** For operators who can see a section and not change it. */
export function ReadOnlyNote() {
  return (
    <Notice state="neutral" icon={IconEye} mb="lg">
      <Contact needs={['site:write']} isReadOnly />
    </Notice>
  );
}
