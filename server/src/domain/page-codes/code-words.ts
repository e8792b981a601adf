/**
 * Common English words of three to eight letters, which are easy to say and to type, and at which nobody takes offense.
 * Most are from the word list of BIP 39.
 */
export const codeWords: readonly string[] = `
  acorn act action actor add advice age ahead album alley allow almond alone alpha anchor angle animal ankle
  annual answer anvil apple april apron arbor arch arctic area arm armor around arrive arrow art artist aspen
  atlas atom august aunt author auto autumn awake axis baby bacon badge badger bag bagel ball bamboo banana banner
  bar barley barn barrel base basic basil basket battle beach bean beef beetle begin belt bench best better bid
  bike birch bird birth bison blue board boat body boil bonnet bonus book boost bottle bounce bowl box brain brand
  brass brave bread breeze brick bridge brief bright bring brisk bronze broom brown brush bubble bucket buddy
  build bulb bulk bundle burger bus busy butter button cabin cable cactus cake call calm camera camp can canal
  candle candy canoe canvas canyon car carbon card cargo carpet carrot carry cart case cashew castle cat catch
  cattle cause cave cedar celery cello chair chalk change chapel chat check cheese chef cherry chief chime choice
  choose chunk churn cider circle citrus city civil clap clay clean clerk click cliff climb clip clock close cloth
  cloud clover club coach coast cobalt cobra cocoa code coffee coin color column comb come comet comic condor cook
  cool copper copy coral core corn cost cotton couch couple cove cover coyote crack craft crane crayon cream
  cricket crisp crop crowd cruise cube cup curve custom cute cycle daisy dance daring dash dawn day deal delay
  denim depth design desk dial diary dice diesel dinner dish doctor dog dome donkey door double dove draft dragon
  draw drawer dream dress drive drop drum dry duck dune dust duty eager eagle early earn earth easel easily east
  easy echo edge edit egg elbow embark ember embody end energy engine enjoy enter entry equal era essay exit
  export extra fable fabric face fade falcon fame family famous fan fancy farm feed fence fern ferry fetch fiber
  fiddle field file film filter final finch find fine finger finish firm first fish fit fix fjord flag flame flat
  flavor flight flint flip float flock floor flower fluid flute fly focus fog fold food foot forest fork forum
  fossil found fox frame fresh friend frog front frost frozen fruit fuel fun funny future gadget galaxy game gap
  garage garden garnet gate gather gauge gaze gazebo gecko genre geyser giant gift ginger give glad glass glide
  globe glory glove glow goat gold good goose gown grace grain grape grass gravel green grid group grow guide
  guitar gull gym habit hamlet hammer hand happy harbor harp hat hatch hawk hazel head health hedge height hello
  helmet hen hero heron hill hint hire hobby hockey hold home honey hood hope horn horse hotel hover hub huge
  human humble humor husky ice icon idea igloo image inch index indigo inlet inner input insect inside iris iron
  island issue item ivory ivy jacket jade jaguar jazz jeans jelly jewel jigsaw job join joke joy juice jump jungle
  junior kayak keep kelp kernel kettle key kind kit kite kitten kiwi knee koala label ladder lagoon lake lamp
  laptop large lark lasso later laugh lava lawn leader leaf learn leave left legend lemon lens lesson letter level
  lever life lift light like lilac lily limb limit linen link lion liquid list live lizard llama load local logic
  long loop lotus lounge love loyal lucky lunar lunch luxury magic magnet magpie main mango manual maple marble
  marine market marsh match math matrix maze meadow medal media melody melon melt memory menu merge merit merry
  mesh metal meteor middle milk mimic mint minute mirror mitten mobile mocha model moment monkey month moon moose
  more mosaic moss motion mouse move movie much muffin mural museum music name napkin narrow nature near nectar
  nest net never news next nice nickel noble noise noodle north nose note novel now nugget nutmeg oak oasis oboe
  ocean offer office oil old olive once onion only onyx opal open opera orange orbit orchid order organ other
  otter outer oval oven over owl oxygen oyster ozone paddle page palace palm panda panel papaya paper parade park
  parrot pass pastel path pause pave peach peanut pebble pelican pen pencil pepper petal phone photo piano picnic
  pigeon pilot pine pink pizza place planet plate play plaza plug plum plume poem poet point polar pollen pond
  pony pool poplar poppy potato powder pretzel print prism prize public puffin puppy puzzle quartz quick quilt
  quiz quote rabbit radar radio radish raft rail rain raise raisin rally ramp ranch random range rapid rare rate
  raven razor ready real record reed reef relax renew reopen repair rhino rhythm ribbon rice ride ridge ring
  ripple ritual river roast robin robot rocket roof room rose rotate rough round rubber ruby rug run runway rural
  saddle safe sage salad salmon salon salsa salt same sand sandal satin sauna save say scale scarf school scout
  screen seal season seat second seed setup seven shadow share shell shield shift shine ship shoe shop shore short
  shovel shrimp side sign silk silly silo silver simple sing siren six size skate sketch ski skill sleep sleigh
  slice slide sloth small smile snack snake snap snow soap soccer sock soda soft solar solid solve song sonnet
  soon sort sound soup south space speak speed spell spend sphere spice spider spin spirit sponge spoon sport spot
  spray spread spring spruce square squid stage stairs stand start state stay stem step stereo stick still stone
  stork story stove stream street style subway sugar summer sun sunny sunset sushi swan swarm swift swim swing
  symbol syrup table tag talk tango tank tape task taste taxi teal teapot ten tennis tent term theme thing three
  ticket tiger tilt timber time tiny title toast tomato tone tool top topaz topic toucan tower town toy track
  trade train travel tray tree trellis trend trim trophy trout truck true tuba tube tugboat tulip tumble tuna
  tundra tunnel turn turnip turtle twelve twenty twice twist uncle unfold upper urban vacuum valley valve vapor
  vast velvet venue video view viola violet violin visit visual vivid vocal voice waffle wagon walk wall walnut
  walrus warm wash water wave way web west whale wheat wheel wicker wide width wild willow window wing winner
  winter wisdom wolf wonder wool world yacht yard year yellow yogurt youth zebra zigzag zinc zone zoo
`
  .trim()
  .split(/\s+/);
