import { Figure, Figures } from '../../components/figures/figures.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Card } from '../../components/layout/card.tsx';
import { AttentionList, AttentionRow } from '../../components/page/attention-list.tsx';
import { SwitchLink, SwitchLinks } from '../../components/page/switch-links.tsx';

/** What needs a person, numbers with their changes, and a switch between views of a page. */
export function OverviewParts() {
  return (
    <>
      <Card title="Needs attention" action={<ViewSwitch />}>
        <AttentionList label="Needs attention">
          <AttentionRow
            state="bad"
            title="The login link for ada@example.com could not be sent"
            why="550 User unknown"
            action={<ActionButton size="xs" label="Resend" />}
          />
          <AttentionRow
            state="attention"
            title="3 people ask to join"
            action={<ActionButton size="xs" label="Decide" />}
          />
        </AttentionList>
      </Card>
      <Figures label="Numbers">
        <Figure name="Members" number={1_250}>
          +18 in 30 days
        </Figure>
        <Figure name="Paying" number={420}>
          No change
        </Figure>
        <Figure name="Logins" number={331} />
      </Figures>
    </>
  );
}

function ViewSwitch() {
  return (
    <SwitchLinks label="Views">
      <SwitchLink from="/$site" to="/$site/design">
        This page
      </SwitchLink>
      <SwitchLink from="/$site" to="/$site">
        Overview
      </SwitchLink>
    </SwitchLinks>
  );
}
