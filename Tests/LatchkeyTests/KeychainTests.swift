import Latchkey
import Testing
