import UserPresence
import Testing
